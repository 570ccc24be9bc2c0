
M
x0Placeholder*
_user_specified_namex0*
dtype0*
shape:
M
x1Placeholder*
_user_specified_namex1*
dtype0*
shape:
;

StringJoin
StringJoinx0x1*
N*
	separator-
)
IdentityIdentity
StringJoin*
T0"Ê