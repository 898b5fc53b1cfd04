"""The fields of `<bert-scope>`, as traits. scripts/notebook/fields.mjs writes this file from web/scope/state-fields.js."""

from __future__ import annotations

import traitlets

#: The attribute of each field.
ATTRIBUTES = {
    "text": "text",
    "text_pair": "text-pair",
    "src": "src",
    "ids": "ids",
    "no_special_tokens": "no-special-tokens",
    "view": "view",
    "layer": "layer",
    "heads": "heads",
    "filter": "filter",
    "token": "token",
    "words": "words",
    "special": "special",
    "strongest": "strongest",
    "full_scale": "full-scale",
    "mean_layers": "mean-layers",
    "measure": "measure",
    "statistic": "statistic",
    "opened": "open",
    "only_layers": "only-layers",
    "only_heads": "only-heads",
    "interventions": "interventions",
    "compare": "compare",
    "large": "large",
    "height": "height",
    "theme": "theme",
    "controls": "controls",
    "editable": "editable",
}


class Fields(traitlets.HasTraits):
    """What a picture shows. Values that have parts are written as in the attribute and in addresses."""

    text = traitlets.Unicode("").tag(sync=True)
    """The text that the model reads."""

    text_pair = traitlets.Unicode("").tag(sync=True)
    """The second sentence of a pair; empty for a single sentence."""

    src = traitlets.Unicode("").tag(sync=True)
    """The address of a model (`.safetensors`, `.gguf`) or of a saved picture (`.json`, `.npz`). `hub:…`, or the address of its page, is a model of the Hugging Face hub, `kept:…` one that the browser stores; empty means the embedded model."""

    ids = traitlets.List(traitlets.Int(), []).tag(sync=True)
    """The ids of the text's tokens, such as `464.3797`, where the tokenizer would divide the text otherwise: the model has written it. Empty means those that the tokenizer gives. Another text, pair or model empties them."""

    no_special_tokens = traitlets.Bool(False).tag(sync=True)
    """Whether the text is run without the tokens that the tokenizer adds, such as `[CLS]` and `[SEP]`."""

    view = traitlets.Enum(["head", "model", "neuron", "matrix"], "head").tag(sync=True)
    """The view: `head`, `model`, `neuron` or `matrix`."""

    layer = traitlets.Int(0).tag(sync=True)
    """The chosen layer, counted from 0."""

    heads = traitlets.List(traitlets.Int(), []).tag(sync=True)
    """The chosen heads, counted from 0, such as `0.4.7`; empty means all."""

    filter = traitlets.Enum(["all", "aa", "bb", "ab", "ba", "encoder", "decoder", "cross"], "all").tag(sync=True)
    """The part of the attention that is shown: `all`; for a pair, `ab` for queries of the first sentence and keys of the second, and `aa`, `bb`, `ba` alike; for an encoder-decoder model, `encoder`, `decoder` or `cross`."""

    token = traitlets.Unicode("").tag(sync=True)
    """The pinned token, such as `q3`, the query of token 3, or `k3`, its key; counted before words are merged and tokens are hidden."""

    words = traitlets.Bool(False).tag(sync=True)
    """Whether the pieces of a word are merged; weights are summed over keys and averaged over queries."""

    special = traitlets.Enum(["show", "hide", "renormalise"], "show").tag(sync=True)
    """Whether special tokens are shown (`show`), hidden (`hide`), or hidden with rows that sum to 1 (`renormalise`)."""

    strongest = traitlets.Float(1).tag(sync=True)
    """The share of each row that is kept: `0.9` keeps the strongest weights that make up 90 %, `1` keeps all."""

    full_scale = traitlets.Bool(False).tag(sync=True)
    """Whether the colours of the matrix view always range from 0 to 1, and not to the largest weight."""

    mean_layers = traitlets.Union([traitlets.List(traitlets.Int(), []), traitlets.Enum(["all"])]).tag(sync=True)
    """The layers whose weights are averaged, such as `0.4.7` or `all`; an empty list means the chosen layer alone."""

    measure = traitlets.Enum(["weight", "norm", "rollout", "flow"], "weight").tag(sync=True)
    """The measure that the picture shows: `weight`, `norm`, `rollout` or `flow`."""

    statistic = traitlets.Enum(["word", "previous", "self", "next", "sameWord", "punctuation", "cls", "sep", "breadth", "entropy", "distance"], "word").tag(sync=True)
    """The statistic that colours the map of all heads; `word`: what answers the word, else the first statistic."""

    opened = traitlets.Bool(False).tag(sync=True)
    """Whether the model view shows the first chosen head large."""

    only_layers = traitlets.List(traitlets.Int(), []).tag(sync=True)
    """The layers that the model view shows; empty means all."""

    only_heads = traitlets.List(traitlets.Int(), []).tag(sync=True)
    """The heads that the model view shows; empty means all."""

    interventions = traitlets.Unicode("").tag(sync=True)
    """The changes to the model, such as `off=3.1&causal=1`: here, head 1 of layer 3 is off, and no token attends to a later one."""

    compare = traitlets.Unicode("").tag(sync=True)
    """The baseline that the picture is compared with: `mode=side&text=fruit+flies` shows it beside the picture, `mode=difference&…` subtracts it. With a mode alone, the baseline is the unchanged model; `contrast="side"` is short for that."""

    large = traitlets.Bool(False).tag(sync=True)
    """Whether the type is large, for a projector."""

    height = traitlets.Int(0).tag(sync=True)
    """The height in CSS pixels that the rows of the picture share; 0 leaves each as high as usual."""

    theme = traitlets.Enum(["auto", "light", "dark"], "auto").tag(sync=True)
    """The colours: `light`, `dark`, or `auto`, which is as the page around the element is."""

    controls = traitlets.Union([traitlets.Bool(False), traitlets.Enum(["none"])]).tag(sync=True)
    """Whether the element has controls. `none` locks the picture: the reader cannot change it, not even with keys."""

    editable = traitlets.Bool(False).tag(sync=True)
    """Whether an element without controls has its sentence as a field that the reader can change, with the headline."""
