
Y
x0Placeholder*
_user_specified_namex0*
dtype0*
shape:
Y
x1Placeholder*
_user_specified_namex1*
dtype0*
shape:
a
Conv2DConv2Dx0x1*
T0*
	dilations
*
paddingVALID*
strides

%
IdentityIdentityConv2D*
T0"Ê