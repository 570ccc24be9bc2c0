"""What NumPy and plain Python compute for the recipes: the numbers that their tests expect, and the work that is timed beside ours.

    python3 reference.py            # the numbers of all recipes
    python3 reference.py kmeans     # of one
    python3 reference.py --time     # seconds of each one's work, in JSON

Each recipe is a function that prints the numbers, and one called NAME_work that does what `work` of the recipe's Rust file does, written as
someone would write it who knows NumPy. It needs NumPy and nothing else.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np


def uniform(count, seed):
    """The numbers of `inputs.rs`."""
    with np.errstate(over="ignore"):
        bits = (np.arange(count, dtype=np.uint32) + np.uint32(seed << 20 & 0xFFFFFFFF)) * np.uint32(0x9E3779B9)
        bits = (bits ^ (bits >> np.uint32(16))) * np.uint32(0x85EBCA6B)
        bits = (bits ^ (bits >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return (bits ^ (bits >> np.uint32(16))) / 4294967296.0


def normal(count, seed):
    return np.sqrt(-2 * np.log(1 - uniform(count, seed))) * np.cos(2 * np.pi * uniform(count, seed + 1))


def show(name, *values):
    print(name, *(np.array2string(np.asarray(v), separator=", ", precision=15, floatmode="unique", max_line_width=120) for v in values))


# K-means


def clouds(count):
    places = np.array([[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]])
    return places[np.arange(count) % 3] + normal(2 * count, 1).reshape(-1, 2)


def k_means(points, centers):
    nearest = lambda: np.square(points[:, None] - centers[None]).sum(2).argmin(1)
    labels, rounds = nearest(), 0
    while True:
        centers = np.array([points[labels == k].mean(0) for k in range(len(centers))])
        now, rounds = nearest(), rounds + 1
        if (now == labels).all():
            return centers, now, rounds
        labels = now


def kmeans():
    points = clouds(300)
    centers, labels, rounds = k_means(points, points[:3])
    show("kmeans", centers.ravel(), rounds, np.bincount(labels))


def kmeans_work():
    points = clouds(3000)
    k_means(points, points[:3])


# Viterbi


def best_path(start, transition, emission, observed):
    score, back = start + emission[:, observed[0]], []
    for symbol in observed[1:]:
        through = score[:, None] + transition
        back.append(through.argmax(0))
        score = through.max(0) + emission[:, symbol]
    path = [score.argmax()]
    for step in reversed(back):
        path.append(step[path[-1]])
    return np.array(path[::-1]), score.max()


def table(rows, columns, seed):
    weights = uniform(rows * columns, seed).reshape(rows, columns)
    return np.log(weights / weights.sum(1, keepdims=True))


def long_path(steps):
    observed = (uniform(steps, 8) * 8).astype(int)
    return best_path(table(1, 16, 5)[0], table(16, 16, 6), table(16, 8, 7), observed)


def viterbi():
    path, score = long_path(1000)
    show("viterbi", score, path.sum(), path[:8])


def viterbi_work():
    long_path(1000)


# An adaptive ODE solver


def lotka(y, r):
    return np.array([r[0] * y[0] - r[1] * y[0] * y[1], r[3] * y[0] * y[1] - r[2] * y[1]])


def adaptive(start, rates, end, tolerance):
    y, t, h, kept, tried = start, 0.0, 0.01, 0, 0
    k1 = lotka(y, rates)
    while t < end:
        step = min(h, end - t)
        k2 = lotka(y + step * 0.5 * k1, rates)
        k3 = lotka(y + step * 0.75 * k2, rates)
        following = y + step * (2 * k1 + 3 * k2 + 4 * k3) / 9
        k4 = lotka(following, rates)
        error = step * (-5 * k1 + 6 * k2 + 8 * k3 - 9 * k4) / 72
        error = np.abs(error / (tolerance * (1 + np.abs(following)))).max()
        tried += 1
        if error <= 1:
            t = end if step < h else t + step
            y, k1, kept = following, k4, kept + 1
        h = step * np.clip(0.9 * max(error, 1e-10) ** (-1 / 3), 0.2, 5.0)
    return y, kept, tried


RATES, START = np.array([1.5, 1.0, 3.0, 1.0]), np.array([10.0, 5.0])


def small_steps(rates, steps):
    """The classical Runge-Kutta method, which also takes complex rates."""
    y, h = START.astype(rates.dtype), 10.0 / steps
    for _ in range(steps):
        k1 = lotka(y, rates)
        k2 = lotka(y + h / 2 * k1, rates)
        k3 = lotka(y + h / 2 * k2, rates)
        k4 = lotka(y + h * k3, rates)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def ode():
    # The derivative of an analytic function is the imaginary part of a complex step.
    gradient = [small_steps(RATES + 1e-30j * np.eye(4)[i], 20000)[1].imag / 1e-30 for i in range(4)]
    show("ode exact", small_steps(RATES, 20000)[1], gradient)
    show("ode adaptive", *adaptive(START, RATES, 10.0, 1e-6))


def ode_work():
    """Without gradients NumPy would need four more runs for differences."""
    for _ in range(5):
        adaptive(START, RATES, 10.0, 1e-6)


# Conjugate gradients


def plate(n):
    b = np.zeros((n, n))
    b[n // 4, n // 4], b[n // 2, 3 * n // 4] = 1.0, -0.5
    return b


def laplace(x):
    wide = np.pad(x, 1)
    return 4 * x - wide[:-2, 1:-1] - wide[2:, 1:-1] - wide[1:-1, :-2] - wide[1:-1, 2:]


def cg(b, tolerance):
    x, residual, direction = np.zeros_like(b), b, b
    square = np.square(b).sum()
    goal, steps = square * tolerance**2, 0
    while square > goal:
        image = laplace(direction)
        rate = square / (direction * image).sum()
        x, residual = x + rate * direction, residual - rate * image
        before, square = square, np.square(residual).sum()
        direction, steps = residual + square / before * direction, steps + 1
    return x, steps


def conjugate_gradients():
    n = 32
    dense = np.array([laplace(e.reshape(n, n)).ravel() for e in np.eye(n * n)])
    x = np.linalg.solve(dense, plate(n).ravel())
    show("conjugate_gradients", [x.max(), x.min(), x.sum()], cg(plate(n), 1e-10)[1])


def conjugate_gradients_work():
    cg(plate(64), 1e-8)


# Life


def world(side, rows):
    cells = np.zeros((side, side), np.int32)
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            cells[side // 2 + y, side // 2 + x] = cell == "#"
    return cells


def generations(cells, count):
    living = []
    for _ in range(count):
        living.append(cells.sum())
        near = sum(np.roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - cells
        cells = ((near == 3) | ((near == 2) & (cells == 1))).astype(np.int32)
    return cells, np.array(living)


def life():
    after, living = generations(world(128, [".##", "##.", ".#."]), 200)
    show("life", after.sum(), living.max(), living.sum())


def life_work():
    generations(world(128, [".##", "##.", ".#."]), 200)


# Mandelbrot


def rounds(width, height, limit):
    real, imaginary = np.linspace(-2, 0.5, width)[None], np.linspace(-1.25, 1.25, height)[:, None]
    x, y, count = np.zeros((height, width)), np.zeros((height, width)), np.zeros((height, width), np.int32)
    inside, number = x <= 1, 0
    with np.errstate(over="ignore", invalid="ignore"):
        while number < limit and inside.any():
            x, y = x * x - y * y + real, 2 * x * y + imaginary
            inside = inside & (x * x + y * y <= 4)
            count, number = count + inside, number + 1
    return count


def mandelbrot():
    picture = rounds(78, 39, 50)
    show("mandelbrot", picture.sum(), (picture == 50).sum(), picture[19, 10:20])


def mandelbrot_work():
    rounds(300, 300, 100)


# A Kalman filter


def kalman_filter(places):
    dt = 0.1
    motion = np.eye(4) + dt * np.eye(4, k=2)
    sight, noise, error = np.eye(4)[:2], np.eye(4) * 0.001, np.array([[0.04, 0.01], [0.01, 0.09]])
    mean, covariance, means = np.zeros(4), np.eye(4) * 10, []
    for place in places:
        mean, covariance = motion @ mean, motion @ covariance @ motion.T + noise
        shared = covariance @ sight.T
        gain = shared @ np.linalg.inv(sight @ shared + error)
        mean, covariance = mean + gain @ (place - sight @ mean), covariance - gain @ shared.T
        covariance = (covariance + covariance.T) / 2
        means.append(mean)
    return np.array(means), covariance


def circle(steps):
    angle = np.arange(steps) * 0.02
    return np.stack([np.cos(angle), np.sin(angle)], 1) + normal(2 * steps, 11).reshape(-1, 2) * [0.2, 0.3]


def kalman():
    means, covariance = kalman_filter(circle(200))
    show("kalman", means[-1], means.sum(0), np.diag(covariance))


def kalman_work():
    kalman_filter(circle(1000))


# N bodies


def pull(place, mass):
    apart = place[None] - place[:, None]
    return (apart * (np.square(apart).sum(2, keepdims=True) + 0.01) ** -1.5 * mass.reshape(1, -1, 1)).sum(1)


def leapfrog(place, speed, mass, steps, dt=0.01):
    force = pull(place, mass)
    for _ in range(steps):
        speed = speed + force * (dt / 2)
        place = place + speed * dt
        force = pull(place, mass)
        speed = speed + force * (dt / 2)
    return place, speed


def system(count):
    i = np.arange(1, count)
    radius, angle = 0.5 + 0.25 * i, 2.0 * i
    place = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    speed = np.stack([-np.sin(angle), np.cos(angle)], 1) / np.sqrt(radius)[:, None]
    still = np.zeros((1, 2))
    return np.concatenate([still, place]), np.concatenate([still, speed]), np.where(np.arange(count) == 0, 1.0, 0.01)


def n_body():
    place, speed, mass = system(5)
    apart = np.sqrt(np.square(place[None] - place[:, None]).sum(2) + 0.01)
    energy = (mass * np.square(speed).sum(1)).sum() / 2 - np.triu(np.outer(mass, mass) / apart, 1).sum()
    distance = lambda speed: np.sqrt(np.square(leapfrog(place, speed, mass, 300)[0][-1]).sum())
    gradient = [distance(speed + 1e-30j * e.reshape(5, 2)).imag / 1e-30 for e in np.eye(10)]
    show("n_body", energy, distance(speed), gradient)


def n_body_work():
    """Without the gradient, for which NumPy would need another run for each number."""
    leapfrog(*system(32), 200)


# Hamiltonian Monte Carlo


def hmc():
    """Its means and covariances are exact: nothing to compute."""


def hmc_work():
    precision, mean = np.array([[1, -0.8], [-0.8, 1]]) / 0.36, np.array([1.0, -2.0])
    rng, x, dt, steps = np.random.default_rng(1), np.zeros(2), 0.2, 10
    log_density = lambda x: -0.5 * (x - mean) @ precision @ (x - mean)
    slope = lambda x: -precision @ (x - mean)
    samples = []
    for _ in range(1000):
        start = rng.normal(size=2)
        place, momentum = x, start + slope(x) * (dt / 2)
        for step in range(steps):
            place = place + momentum * dt
            momentum = momentum + slope(place) * (dt / 2 if step == steps - 1 else dt)
        gain = log_density(place) - log_density(x) + (start @ start - momentum @ momentum) / 2
        if np.log(rng.uniform()) < gain:
            x = place
        samples.append(x)


# Options


def options():
    from math import erf, exp, log, pi, sqrt

    price, strike, rate, volatility, years = 100.0, 105.0, 0.05, 0.2, 1.0
    below = lambda x: 0.5 * (1 + erf(x / sqrt(2)))
    spread = volatility * sqrt(years)
    d1 = (log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    value = price * below(d1) - strike * exp(-rate * years) * below(d1 - spread)
    show("options exact", [value, below(d1), price * exp(-d1 * d1 / 2) / sqrt(2 * pi) * sqrt(years)])
    luck = np.random.default_rng(1).normal(size=1_000_000)
    end = price * np.exp((rate - volatility**2 / 2) * years + spread * luck)
    paid = (end > strike) * np.exp(-rate * years)
    show("options strays: delta, vega", (paid * end / price).std(), (paid * end * (luck * sqrt(years) - volatility * years)).std())


def options_work():
    """The price and both derivatives, whose formulas are written by hand."""
    luck = np.random.default_rng(1).normal(size=100_000)
    end = 100 * np.exp(0.05 - 0.02 + 0.2 * luck)
    discount = np.exp(-0.05)
    gains = np.maximum(end - 105, 0) * discount
    paid = (end > 105) * discount * end
    return gains.mean(), gains.std(), (paid / 100).mean(), (paid * (luck - 0.2)).mean()


# A bandit


def casino(rounds):
    chances, luck = np.array([0.2, 0.4, 0.5, 0.6, 0.8]), uniform(5 * rounds, 21).reshape(-1, 5)
    plays, wins = np.zeros(5), np.zeros(5)
    for number in range(rounds):
        arm = number if number < 5 else (wins / plays + np.sqrt(2 * np.log(number) / plays)).argmax()
        plays[arm] += 1
        wins[arm] += luck[number, arm] < chances[arm]
    return plays, wins.sum()


def bandit():
    show("bandit", *casino(5000))


def bandit_work():
    casino(5000)


# Denoising


def stairs(count):
    return np.array([0.0, 2.0, 1.0, 3.0])[4 * np.arange(count) // count]


def total_variation(noisy, weight, steps):
    dual = np.zeros(len(noisy) - 1)
    for _ in range(steps):
        x = noisy + np.pad(dual, (0, 1)) - np.pad(dual, (1, 0))
        dual = np.clip(dual + 0.25 * (x[1:] - x[:-1]), -weight, weight)
    return noisy + np.pad(dual, (0, 1)) - np.pad(dual, (1, 0))


def denoise():
    noisy = stairs(400) + normal(400, 31) * 0.3
    x = total_variation(noisy, 1.0, 2000)
    show("denoise", [np.square(x - noisy).sum() / 2 + np.abs(x[1:] - x[:-1]).sum(), x[50], x[250]])


def denoise_work():
    total_variation(stairs(10_000) + normal(10_000, 31) * 0.3, 1.0, 500)


# A spell checker


WORDS = "apple banana cherry gradient graph kitten letter mitten orange sitting spelling tensor trace".split()


def edits(a, b):
    row = list(range(len(b) + 1))
    for letter in a:
        before, row[0] = row[0], row[0] + 1
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != other))
    return row[-1]


def spelling():
    show("spelling", [edits("sitting", word) for word in WORDS])


def spelling_work():
    """All words at once, as the recipe does it."""
    words = (WORDS * 200)[:2000]
    table = np.array([list(word.ljust(8, "\0").encode()) for word in words]).T
    row = np.arange(9)[:, None] + np.zeros((1, 2000), np.int32)
    for letter in b"sittinginthegraph":
        following = row + 1
        for j in range(1, 9):
            other = np.minimum(row[j - 1] + (table[j - 1] != letter), following[j - 1] + 1)
            following[j] = np.minimum(following[j], other)
        row = following
    return row[(table != 0).sum(0), np.arange(2000)]


# A*


def field(side):
    wall = uniform(side * side, 41) < 0.25
    wall[0] = wall[-1] = False
    return wall.reshape(side, side)


def shortest(wall):
    import heapq

    side, cost, heap = len(wall), {(0, 0): 0}, [(0, 0, 0)]
    while heap:
        _, y, x = heapq.heappop(heap)
        if y == x == side - 1:
            return cost[y, x]
        for v, u in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)):
            if 0 <= v < side and 0 <= u < side and not wall[v, u] and cost[y, x] + 1 < cost.get((v, u), 1 << 30):
                cost[v, u] = cost[y, x] + 1
                heapq.heappush(heap, (cost[v, u] + 2 * side - 2 - v - u, v, u))
    return -1


def a_star():
    show("a_star", shortest(field(24)), shortest(field(48)))


def a_star_work():
    """Plain Python, whose heap is made for this; NumPy has nothing to offer here."""
    shortest(field(48))


# k-d search


def kd_search():
    points, queries = uniform(2000, 51).reshape(-1, 2), uniform(100, 52).reshape(-1, 2)
    distances = np.square(points[None] - queries[:, None]).sum(2).min(1)
    show("kd_search", [distances.sum(), distances.max()], distances[:3])


def kd_search_work():
    """All distances, as one does it in NumPy, which has no tree."""
    points, queries = uniform(20_000, 51).reshape(-1, 2), uniform(600, 52).reshape(-1, 2)
    np.square(points[None] - queries[:, None]).sum(2).min(1)


# Beam search


def language(words):
    weights = (uniform(words * words, 61) ** 4).reshape(words, -1)
    return np.log(weights / weights.sum(1, keepdims=True))


def sentences(following, width, length):
    words = len(following)
    best = np.argsort(-following[0], kind="stable")[:width]
    scores, found = following[0][best], best[:, None]
    for _ in range(length - 1):
        every = (scores[:, None] + following[found[:, -1]]).ravel()
        place = np.argsort(-every, kind="stable")[:width]
        scores, found = every[place], np.concatenate([found[place // words], (place % words)[:, None]], 1)
    return found, scores


def beam():
    found, scores = sentences(language(20), 3, 8)
    best = language(20)[0]
    for _ in range(7):
        best = (best[:, None] + language(20)).max(0)
    show("beam", found[0], scores, best.max())


def beam_work():
    sentences(language(200), 16, 50)


# A service


def classify(rows):
    scores = np.exp(rows @ normal(12, 71).reshape(4, 3))
    return scores / scores.sum(-1, keepdims=True)


def question(client, number):
    return (client * 3 + number * 3 + np.arange(4)) % 7 - 3.0


def service():
    show("service", [sum(classify(question(client, number))[0] for number in range(40)) for client in range(3)])


def service_work():
    """Without threads and batches: one answer after the other."""
    for client in range(4):
        for number in range(250):
            classify(question(client, number))


# Gradients of one's own


def fixed_point(a, b):
    x = np.tanh(b)
    for _ in range(1000):
        x = np.tanh(a * x + b)
    return x


def implicit():
    a, b = np.linspace(0.1, 0.9, 4), np.linspace(-1.0, 1.5, 4)
    show("implicit", fixed_point(a, b).sum(), fixed_point(a + 1e-30j, b).imag / 1e-30, fixed_point(a, b + 1e-30j).imag / 1e-30)


def implicit_work():
    a, b = np.linspace(0.1, 0.9, 1000), np.linspace(-1.0, 1.5, 1000)
    x, change = np.tanh(b), 1.0
    while change > 1e-14:
        following = np.tanh(a * x + b)
        x, change = following, np.abs(following - x).max()
    slope = 1 - x * x
    shared = slope / (1 - a * slope)
    return x.sum(), shared * x, shared


# Networks: NumPy has no gradients. The numbers are the loss for given weights, and how it changes in a direction, which is a difference of
# two losses. The timed work is the loss alone, as often as the recipe takes a step with it; the recipe's has gradients and updates, too.


def weights(shapes):
    """The values that `check::fill` gives to variables of these shapes."""
    return [0.2 * normal(int(np.prod(shape)), 100 + 2 * i).reshape(shape) for i, shape in enumerate(shapes)]


def with_slope(loss, shapes):
    values = weights(shapes)
    along = [normal(v.size, 500 + 2 * i).reshape(v.shape) for i, v in enumerate(values)]
    moved = lambda h: loss([v + h * d for v, d in zip(values, along)])
    return loss(values), (moved(1e-5) - moved(-1e-5)) / 2e-5


def digits(count):
    path = Path(__file__).resolve().parents[2] / "data/digits/train-images.idx3-ubyte"
    return np.frombuffer(path.read_bytes(), np.uint8, count * 64, 16).reshape(count, 64) / 16.0


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# A small GPT


LETTERS = "abcdefghijklmnopqrstuvwxyz. "
TEXT = "the quick brown fox jumps over the lazy dog. "
BLOCK = [(32,), (32,), (32, 96), (96,), (32, 32), (32,), (32,), (32,), (32, 128), (128,), (128, 32), (32,)]
GPT = [(28, 32), (16, 32), *BLOCK, *BLOCK, (32,), (32,), (32, 28), (28,)]


def layer_norm(x, scale, shift):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-3) * scale + shift


def gpt_loss(values, text, following):
    values = iter(values)
    take = lambda: next(values)
    dense = lambda x: x @ take() + take()
    batch, time_ = text.shape
    x = take()[text] + take()
    for _ in range(2):
        parts = dense(layer_norm(x, take(), take())).reshape(batch, time_, 3, 4, 8).transpose(2, 0, 3, 1, 4)
        scores = parts[0] @ parts[1].transpose(0, 1, 3, 2) / np.sqrt(8)
        scores = np.where(np.tri(time_, dtype=bool), scores, -1e9)
        x = x + dense((np.exp(log_softmax(scores)) @ parts[2]).transpose(0, 2, 1, 3).reshape(batch, time_, 32))
        wide = dense(layer_norm(x, take(), take()))
        wide = 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
        x = x + dense(wide)
    scores = dense(layer_norm(x, take(), take()))
    return -np.take_along_axis(log_softmax(scores), following[..., None], -1).mean()


def gpt():
    text = np.array([LETTERS.index(letter) for letter in TEXT * 2])
    show("gpt", *with_slope(lambda values: gpt_loss(values, text[:32].reshape(2, 16), text[1:33].reshape(2, 16)), GPT))


def gpt_work():
    text = np.array([LETTERS.index(letter) for letter in TEXT * 3])
    values = [v.astype(np.float32) for v in weights(GPT)]
    rng = np.random.default_rng(1)
    for _ in range(200):
        places = rng.integers(0, len(text) - 16, (16, 1)) + np.arange(16)
        gpt_loss(values, text[places], text[places + 1])


# A variational autoencoder


VAE = [(64, 32), (32,), (32, 2), (2,), (32, 2), (2,), (2, 32), (32,), (32, 64), (64,)]


def vae_loss(w, pictures, noise):
    seen = np.tanh(pictures @ w[0] + w[1])
    mean, spread = seen @ w[2] + w[3], seen @ w[4] + w[5]
    numbers = mean + np.exp(spread / 2) * noise
    logits = np.tanh(numbers @ w[6] + w[7]) @ w[8] + w[9]
    drawn = (np.maximum(logits, 0) - logits * pictures + np.log1p(np.exp(-np.abs(logits)))).sum(1)
    return (drawn + 0.5 * (mean**2 + np.exp(spread) - 1 - spread).sum(1)).mean()


def vae():
    show("vae", *with_slope(lambda w: vae_loss(w, digits(10), normal(20, 81).reshape(10, 2)), VAE))


def vae_work():
    pictures, values = digits(500).astype(np.float32), [v.astype(np.float32) for v in weights(VAE)]
    rng = np.random.default_rng(1)
    for _ in range(100):
        vae_loss(values, pictures, rng.normal(size=(500, 2)).astype(np.float32))


# A diffusion model


DENOISER = [(66, 96), (96,), (96, 96), (96,), (96, 64), (64,)]


def denoiser_loss(w, pictures, step, noise):
    left = np.cumprod(1 - np.linspace(0.002, 0.25, 40))[step][:, None].astype(pictures.dtype)
    noisy = np.sqrt(left) * pictures + np.sqrt(1 - left) * noise
    angle = (step[:, None] * (np.pi / 40)).astype(pictures.dtype)
    x = np.concatenate([noisy, np.sin(angle), np.cos(angle)], 1)
    for i in (0, 2):
        x = x @ w[i] + w[i + 1]
        x = x * sigmoid(x)
    return np.square(noise - (x @ w[4] + w[5])).mean()


def diffusion():
    step, noise = np.array([0, 1, 5, 10, 20, 30, 38, 39]), normal(8 * 64, 91).reshape(8, 64)
    show("diffusion", *with_slope(lambda w: denoiser_loss(w, digits(8) * 2 - 1, step, noise), DENOISER))


def diffusion_work():
    pictures, values = (digits(500) * 2 - 1).astype(np.float32), [v.astype(np.float32) for v in weights(DENOISER)]
    rng = np.random.default_rng(1)
    for _ in range(100):
        denoiser_loss(values, pictures, rng.integers(0, 40, 500), rng.normal(size=(500, 64)).astype(np.float32))


# A graph neural network


def village():
    """The matrix of who knows whom, divided by the roots of how many both know."""
    luck, i = uniform(3600, 95).reshape(60, 60), np.arange(60)
    luck = np.triu(luck, 1) + np.triu(luck, 1).T
    knows = (luck < np.where((i[:, None] - i) % 2 == 0, 1 / 3, 1 / 30)) | np.eye(60, dtype=bool)
    root = np.sqrt(knows.sum(1))
    return knows / np.outer(root, root)


def network_loss(w, matrix):
    hidden = np.maximum(matrix @ (np.eye(60) @ w[0] + w[1]), 0)
    scores = matrix @ (hidden @ w[2] + w[3])
    return -log_softmax(scores)[[0, 1], [0, 1]].mean()


NETWORK = [(60, 8), (8,), (8, 2), (2,)]


def graph_network():
    show("graph_network", *with_slope(lambda w: network_loss(w, village()), NETWORK))


def graph_network_work():
    matrix, values = village(), weights(NETWORK)
    for _ in range(100):
        network_loss(values, matrix)


# REINFORCE


def reinforce():
    left = np.zeros(7)
    for _ in range(12):
        reached = left - 0.1
        reached[0], reached[6] = 0.3 - 0.1, 1.0 - 0.1
        left = np.concatenate([[0], 0.5 * (reached[:-2] + reached[2:]), [0]])
    show("reinforce", left[3])


def reinforce_work():
    """With gradients, whose formula is written by hand, and plain steps instead of Adam's."""
    rng, logits = np.random.default_rng(1), np.zeros((7, 2))
    for _ in range(50):
        place, won, said = np.full(200, 3), np.zeros(200), []
        for _ in range(12):
            going = (place > 0) & (place < 6)
            chance = np.exp(log_softmax(logits[place]))
            choice = (rng.uniform(size=200) < chance[:, 1]).astype(int)
            said.append((place, going[:, None] * (np.eye(2)[choice] - chance)))
            place = place + going * (choice * 2 - 1)
            won += going * ((place == 6) * 1.0 + (place == 0) * 0.3 - 0.1)
        slope = np.zeros_like(logits)
        for at, gradient in said:
            np.add.at(slope, at, (won - won.mean())[:, None] * gradient / 200)
        logits += 0.1 * slope


def seconds(work):
    """The median of some runs, at least three, for a second in all."""
    times = []
    while len(times) < 3 or sum(times) < 1:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return sorted(times)[len(times) // 2]


def main():
    works = {name.removesuffix("_work"): f for name, f in globals().items() if name.endswith("_work")}
    if sys.argv[1:] == ["--time"]:
        print(json.dumps({name: seconds(work) for name, work in works.items()}, indent=1))
        return
    for name in sys.argv[1:] or works:
        globals()[name]()


if __name__ == "__main__":
    main()
