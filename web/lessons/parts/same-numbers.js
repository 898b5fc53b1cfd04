/**
 * What the PyTorch code of a step needs: the random numbers of `src/lab/random.h`, layers made of them, and tensors that
 * were saved.
 */
const sameNumbers = `
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

torch.set_grad_enabled(False)
torch.set_printoptions(precision=4, sci_mode=False)
STEP = 0x9E3779B97F4A7C15


def numbers(seed, count):
    """The first numbers of SplitMix64."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(STEP)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def part(seed, index):
    """The seed of a part of something seeded."""
    return int(numbers((seed + index * STEP) % 2**64, 1)[0])


def uniform(count, seed):
    return (numbers(seed, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def normal(*shape, seed):
    """N(0, 1), by Box and Muller."""
    count = int(np.prod(shape))
    a, b = uniform(count + count % 2, seed).reshape(-1, 2).T
    radius, angle = np.sqrt(-2 * np.log(1 - a)), 2 * np.pi * b
    values = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return torch.tensor(values.reshape(-1)[:count], dtype=torch.float32).reshape(shape)


def embedding(ids, size, seed):
    """The rows of a random nn.Embedding, [1, tokens, size]."""
    return torch.stack([normal(size, seed=part(seed, i)) for i in ids])[None]


def linear(inputs, outputs, seed):
    """An nn.Linear as PyTorch begins with it: uniform in ±1/√inputs."""
    layer = nn.Linear(inputs, outputs)
    for parameter, index in ((layer.weight, 0), (layer.bias, 1)):
        z = numbers(part(seed, index), (parameter.numel() + 1) // 2)
        halves = np.stack([z >> np.uint64(32), z & np.uint64(0xFFFFFFFF)], axis=1).reshape(-1)
        bits = (halves >> np.uint64(8))[: parameter.numel()].astype(np.float64)
        values = float(np.float32(inputs**-0.5)) * (bits * 2.0**-23 - 1)
        parameter.copy_(torch.tensor(values).reshape(parameter.shape))
    return layer


def split_heads(x, heads):
    """[batch, tokens, heads · size] to [batch, heads, tokens, size]."""
    return x.view(*x.shape[:2], heads, -1).transpose(1, 2)


def combine_heads(x):
    return x.transpose(1, 2).flatten(2)


def layers(width, seed):
    """The layers of queries, keys, values and the output."""
    return [linear(width, width, part(seed, index)) for index in range(4)]


def multi_head(query, key, value, heads, seed, causal=False, keep=None, wrong=False):
    """Multi-head attention, right or in a common wrong way: /√C, and softmax over the queries."""
    q_layer, k_layer, v_layer, o_layer = layers(query.size(-1), seed)
    projected = q_layer(query), k_layer(key), v_layer(value)
    q, k, v = (split_heads(each, heads) for each in projected)
    scores = q @ k.transpose(-1, -2) / (query if wrong else q).size(-1) ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).tril() == 0, float("-inf"))
    if keep is not None:
        scores = scores.masked_fill(keep[:, None, None] == 0, float("-inf"))
    weights = scores.softmax(dim=-2 if wrong else -1).nan_to_num()
    return o_layer(combine_heads(weights @ v)), weights


def feed_forward(x, seed):
    width = x.size(-1)
    return linear(4 * width, width, part(seed, 1))(F.gelu(linear(width, 4 * width, part(seed, 0))(x)))


def norm(x, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], eps=eps)


def encoder_layer(x, heads, seed, pre=False):
    if pre:
        h = norm(x)
        x = x + multi_head(h, h, h, heads, part(seed, 0))[0]
        return x + feed_forward(norm(x), part(seed, 1))
    x = norm(x + multi_head(x, x, x, heads, part(seed, 0))[0])
    return norm(x + feed_forward(x, part(seed, 1)))


def saved(name):
    """A tensor of the file that the page saves with this code."""
    return torch.from_numpy(np.load("bertscope-step.npz")[name])
`.trimStart();

/** What comes before code that reads a trained model. */
const trainedModel = `
import torch
from torch.nn import functional as F
from transformers import AutoModel, AutoTokenizer

torch.set_grad_enabled(False)
name = "bert-base-uncased"
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModel.from_pretrained(name, attn_implementation="eager").eval()
`.trim();

const [opening, ...definitions] = sameNumbers.trim().split('\n\n\n');

/**
 * What has to stand before the code of a step, so that it runs: of the definitions those that it needs.
 *
 * @param {string} code
 * @param {boolean} isTrained  whether it reads a trained model
 */
export function preambleOf(code, isTrained) {
  if (isTrained) return trainedModel;
  const needed = new Set();
  let text = code;
  // A definition uses only those before it.
  for (const definition of definitions.toReversed()) {
    const [, name] = /** @type {RegExpMatchArray} */ (definition.match(/^def (\w+)/));
    if (!new RegExp(`\\b${name}\\(`).test(text)) continue;
    needed.add(definition);
    text += definition;
  }
  return [opening, ...definitions.filter((each) => needed.has(each))].join('\n\n\n');
}
