"""PyTorch's speed on the work of graph-cuda's example `gpu_speed`, with the same names."""
import time

import torch
import torch.nn.functional as F


def seconds(call, times=20):
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(times):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / times


def bandwidth(name, size, time):
    print(f"{name:32} {size / time / 1e9:9.1f} GB/s {time * 1e3:9.3f} ms")


side = 1 << 14
size = 4 * side * side
x = torch.ones(side, side, device="cuda")
y = torch.full_like(x, 0.5)
out = torch.empty_like(x)
bandwidth("copy", 2 * size, seconds(lambda: out.copy_(x)))
bandwidth("add", 3 * size, seconds(lambda: torch.add(x, y, out=out)))
bandwidth("sums of rows", size, seconds(lambda: x.sum(1)))
bandwidth("sums of columns", size, seconds(lambda: x.sum(0)))
bandwidth("sum of all", size, seconds(lambda: x.sum()))
bandwidth("transpose", 2 * size, seconds(lambda: out.copy_(x.t())))
bandwidth("softmax of rows (one read, write)", 2 * size, seconds(lambda: torch.softmax(x, 1)))
bandwidth("layer norm (one read, write)", 2 * size, seconds(lambda: F.layer_norm(x, (side,))))
for n in (256, 1024, 4096):
    a, b = (torch.ones(n, n, device="cuda") for _ in range(2))
    time_of = seconds(lambda: torch.mm(a, b))
    print(f"product of {n:<21} {2 * n**3 / time_of / 1e12:9.2f} TFLOP/s {time_of * 1e3:9.3f} ms")
small = torch.ones(16, device="cuda")
print(f"a small call                     {seconds(lambda: small + small, 2000) * 1e6:9.2f} µs")

w1, b1 = torch.full((784, 128), 0.01, device="cuda"), torch.zeros(128, device="cuda")
w2, b2 = torch.full((128, 10), 0.01, device="cuda"), torch.zeros(10, device="cuda")
parameters = [w.requires_grad_() for w in (w1, b1, w2, b2)]
batch = torch.ones(100, 784, device="cuda")
labels = torch.zeros(100, dtype=torch.long, device="cuda")


def step():
    logits = torch.relu(batch @ w1 + b1) @ w2 + b2
    gradients = torch.autograd.grad(F.cross_entropy(logits, labels), parameters)
    with torch.no_grad():
        for parameter, gradient in zip(parameters, gradients):
            parameter -= 0.1 * gradient


print(f"a training step, eager           {seconds(step, 300) * 1e6:9.2f} µs")
stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    for _ in range(3):
        step()
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    step()
print(f"a training step, as a CUDA graph {seconds(graph.replay, 1000) * 1e6:9.2f} µs")
