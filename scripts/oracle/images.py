"""Convolutions and poolings of images."""

import tensorflow as tf

from ask import Ask
from draw import FLOATS, given, small

# Images, filters, strides, dilations, padding, and the pads if the padding is explicit.
WINDOWS = [
    ([1, 5, 5, 1], [3, 3, 1, 1], 1, 1, "VALID", None), ([2, 7, 6, 3], [3, 2, 3, 4], 1, 1, "SAME", None), ([1, 8, 9, 2], [3, 3, 2, 5], 2, 1, "SAME", None),
    ([1, 9, 9, 4], [1, 1, 4, 17], 1, 1, "VALID", None), ([1, 9, 9, 1], [3, 3, 1, 2], 1, 2, "VALID", None), ([2, 5, 7, 3], [2, 2, 3, 9], 2, 1, "VALID", None),
    ([1, 6, 6, 2], [3, 3, 2, 2], 1, 1, "EXPLICIT", [1, 2, 0, 1]), ([1, 5, 5, 4], [3, 3, 2, 6], 1, 1, "SAME", None), ([3, 17, 3, 1], [5, 1, 1, 3], 3, 1, "SAME", None),
    ([1, 4, 4, 16], [2, 2, 16, 16], 1, 1, "VALID", None), ([0, 5, 5, 2], [3, 3, 2, 3], 1, 1, "SAME", None),
]
POOLS = [
    ([1, 4, 4, 1], [2, 2], 2, "VALID"), ([2, 5, 7, 3], [3, 2], 1, "SAME"), ([1, 9, 9, 2], [3, 3], 2, "SAME"), ([1, 7, 6, 5], [2, 3], 1, "VALID"), ([1, 17, 3, 1], [4, 3], 3, "SAME"),
    ([1, 3, 33, 9], [3, 3], 1, "VALID"),
]


def window(strides, dilations, padding, pads=None):
    return dict(strides=[strides] * 2, dilations=[dilations] * 2, padding=padding, pads=pads or [0, 0, 0, 0])


def paddings(padding, pads):
    return [[0, 0], pads[:2], pads[2:], [0, 0]] if padding == "EXPLICIT" else padding


def raw(padding, pads):
    return dict(padding=padding, explicit_paddings=[0, 0, *pads, 0, 0] if pads else [])


def sizes(shape):
    return given("int32", shape)


def convolutions(dtype):
    for image, filters, stride, dilation, padding, pads in WINDOWS:
        attrs = window(stride, dilation, padding, pads)
        pad = paddings(padding, pads)
        yield Ask("conv2d", [small(dtype, image), small(dtype, filters)], sums=True,
                  tf=lambda x, f, s=stride, p=pad, d=dilation: tf.nn.conv2d(x, f, s, p, dilations=d), **attrs)
        grouped = filters[2] != image[3]
        if grouped or stride != 1 and dilation != 1:
            continue
        result = tf.nn.conv2d(tf.zeros(image), tf.zeros(filters), stride, pad, dilations=dilation).shape.as_list()
        common = dict(strides=[1, stride, stride, 1], dilations=[1, dilation, dilation, 1], **raw(padding, pads))
        yield Ask("conv2d_backprop_input", [sizes(image), small(dtype, filters), small(dtype, result)], sums=True,
                  tf=lambda s, f, g, c=common: tf.raw_ops.Conv2DBackpropInput(input_sizes=s, filter=f, out_backprop=g, **c), **attrs)
        yield Ask("conv2d_backprop_filter", [small(dtype, image), sizes(filters), small(dtype, result)], sums=True,
                  tf=lambda x, s, g, c=common: tf.raw_ops.Conv2DBackpropFilter(input=x, filter_sizes=s, out_backprop=g, **c), **attrs)
        if padding != "EXPLICIT":
            # The operand of a transposed convolution has the shape of the convolution's result.
            yield Ask("conv2d_transpose", [small(dtype, result), small(dtype, filters)], sums=True, size=image[1:3], **attrs,
                      tf=lambda g, f, i=image, s=stride, p=pad, d=dilation: tf.nn.conv2d_transpose(g, f, [g.shape[0], *i[1:]], s, p, dilations=d))
        # For zero images, TensorFlow returns uninitialized memory.
        if dilation == 1 and image[0]:
            depthwise = filters[:2] + [image[3], 2]
            yield Ask("depthwise_conv2d", [small(dtype, image), small(dtype, depthwise)], sums=True,
                      tf=lambda x, f, s=stride, p=pad: tf.nn.depthwise_conv2d(x, f, [1, s, s, 1], p), **attrs)


def poolings(dtype):
    for image, size, stride, padding in POOLS:
        attrs = dict(size=size, **window(stride, 1, padding))
        common = dict(ksize=[1, *size, 1], strides=[1, stride, stride, 1], padding=padding)
        x = small(dtype, image)
        yield Ask("max_pool2d", [x], tf=lambda x, z=size, s=stride, p=padding: tf.nn.max_pool2d(x, z, s, p), sums=True, **attrs)
        if dtype not in FLOATS:
            continue
        yield Ask("avg_pool2d", [x], tf=lambda x, z=size, s=stride, p=padding: tf.nn.avg_pool2d(x, z, s, p), sums=True, **attrs)
        result = tf.nn.avg_pool2d(tf.zeros(image), size, stride, padding).shape.as_list()
        yield Ask("avg_pool2d_grad", [sizes(image), small(dtype, result)], sums=True,
                  tf=lambda s, g, c=common: tf.raw_ops.AvgPoolGrad(orig_input_shape=s, grad=g, **c), **attrs)
        yield Ask("max_pool2d_grad", [x, small(dtype, result)], sums=True, gradient=False,
                  tf=lambda x, g, c=common: tf.raw_ops.MaxPoolGrad(orig_input=x, orig_output=tf.nn.max_pool2d(x, c["ksize"], c["strides"], c["padding"]), grad=g, **c), **attrs)
        yield Ask("max_pool2d_grad_grad", [x, small(dtype, image)], sums=True, gradient=False,
                  tf=lambda x, g, c=common: tf.raw_ops.MaxPoolGradGrad(orig_input=x, orig_output=tf.nn.max_pool2d(x, c["ksize"], c["strides"], c["padding"]), grad=g, **c), **attrs)


def questions():
    for dtype in FLOATS:
        yield from convolutions(dtype)
    for dtype in FLOATS + ["int32", "int64", "uint8", "int8", "int16", "uint16"]:
        yield from poolings(dtype)
