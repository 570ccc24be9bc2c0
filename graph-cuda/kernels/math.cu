// Mathematical functions for generated kernels: CUDA's own, which are accurate, and integer functions that are more than an instruction.
// `scripts/cuda/math.sh` compiles them to `math.ptx`, where each is a `.func` whose body the generator pastes into a kernel.
#define UNARY(name, call32, call64) \
  extern "C" __device__ float name##_f32(float x) { return call32; } \
  extern "C" __device__ double name##_f64(double x) { return call64; }

#define BINARY(name, call32, call64) \
  extern "C" __device__ float name##_f32(float x, float y) { return call32; } \
  extern "C" __device__ double name##_f64(double x, double y) { return call64; }

UNARY(cbrt, cbrtf(x), cbrt(x))
UNARY(exp, expf(x), exp(x))
UNARY(exp2, exp2f(x), exp2(x))
UNARY(expm1, expm1f(x), expm1(x))
UNARY(log, logf(x), log(x))
UNARY(log1p, log1pf(x), log1p(x))
UNARY(log2, log2f(x), log2(x))
UNARY(log10, log10f(x), log10(x))
UNARY(sin, sinf(x), sin(x))
UNARY(cos, cosf(x), cos(x))
UNARY(tan, tanf(x), tan(x))
UNARY(asin, asinf(x), asin(x))
UNARY(acos, acosf(x), acos(x))
UNARY(atan, atanf(x), atan(x))
UNARY(sinh, sinhf(x), sinh(x))
UNARY(cosh, coshf(x), cosh(x))
UNARY(tanh, tanhf(x), tanh(x))
UNARY(asinh, asinhf(x), asinh(x))
UNARY(acosh, acoshf(x), acosh(x))
UNARY(atanh, atanhf(x), atanh(x))
UNARY(erf, erff(x), erf(x))
UNARY(erfc, erfcf(x), erfc(x))
UNARY(sigmoid, 1.0f / (1.0f + expf(-x)), 1.0 / (1.0 + exp(-x)))
UNARY(softplus, (x > 0.0f ? x : 0.0f) + log1pf(expf(-fabsf(x))), (x > 0.0 ? x : 0.0) + log1p(exp(-fabs(x))))
BINARY(pow, powf(x, y), pow(x, y))
BINARY(atan2, atan2f(x, y), atan2(x, y))
BINARY(rem, fmodf(x, y), fmod(x, y))

// The quotient rounded down, and the remainder that belongs to it, which has the divisor's sign.
#define FLOORED(suffix, type) \
  extern "C" __device__ type floor_div_##suffix(type x, type y) { \
    type q = x / y; \
    return (x % y != 0 && (x % y < 0) != (y < 0)) ? q - 1 : q; \
  } \
  extern "C" __device__ type floor_mod_##suffix(type x, type y) { \
    type r = x % y; \
    return (r != 0 && (r < 0) != (y < 0)) ? r + y : r; \
  }
FLOORED(s32, int)
FLOORED(s64, long long)

// Powers wrap, so they are computed with unsigned numbers. The exponent isn't negative.
#define POWER(suffix, type, unsigned_type) \
  extern "C" __device__ type pow_##suffix(type base, type exponent) { \
    unsigned_type power = 1, square = (unsigned_type)base, left = (unsigned_type)exponent; \
    while (left != 0) { \
      if (left & 1) power *= square; \
      square *= square; \
      left >>= 1; \
    } \
    return (type)power; \
  }
POWER(s32, int, unsigned)
POWER(s64, long long, unsigned long long)
POWER(u32, unsigned, unsigned)
POWER(u64, unsigned long long, unsigned long long)
