import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {eventually} from '../../support/eventually.js';
import {JupyterNotebook} from './jupyter.js';

const pictures = fileURLToPath(new URL('../../../build/notebook-pictures/', import.meta.url));
mkdirSync(pictures, {recursive: true});
const folder = fileURLToPath(new URL('../../golden/odd-sizes', import.meta.url));

/** A cell that compares the widget's attention with PyTorch's: 8 bits change that of this random model by up to 0.033. */
const compare = `inputs = tokenizer(scope.text, return_tensors="pt")
expected = bertscope.snapshot(inputs, model(**inputs, output_attentions=True))
print(np.abs(scope.result.attentions - expected.part()).max() < 0.05, scope.result.model)`;

test('a folder and a model of transformers run in the page and agree with PyTorch', async () => {
  const notebook = await JupyterNotebook.open('lab', [
    `import bertscope, numpy as np
from transformers import AutoModel, AutoTokenizer
folder = ${JSON.stringify(folder)}
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()`,
    'scope = bertscope.live("the cat sat", model=model, tokenizer=tokenizer)\nscope',
    '',
    'scope = bertscope.live("on the mat", model=folder)\nscope',
    'bertscope.attention(inputs, model(**inputs, output_attentions=True), layer=1)',
  ]);
  const {page} = notebook;
  try {
    await notebook.run(0);
    for (const cell of [1, 3]) {
      await notebook.run(cell);
      await eventually('the numbers of PyTorch', async () =>
        assert.match(await notebook.runCode(2, compare), /^True odd-sizes/m),
      );
    }
    await notebook.run(4);
    await page.locator('bert-scope').nth(2).locator('.query .piece', {hasText: '[SEP]'}).waitFor();
    await page.screenshot({path: `${pictures}models.png`});
  } finally {
    await notebook.close();
  }
});

test('a model that cannot run is refused in the picture', async () => {
  const notebook = await JupyterNotebook.open('lab', [
    `import bertscope, pathlib
pathlib.Path("empty").mkdir()
pathlib.Path("empty/config.json").write_text("{}")
pathlib.Path("empty/notes.txt").write_text("")
bertscope.live("a", model="empty")`,
  ]);
  try {
    await notebook.run(0);
    const said = notebook.page.locator('bert-scope').getByText('expected one .safetensors file');
    await said.waitFor();
  } finally {
    await notebook.close();
  }
});

test('the engine starts where workers come from data: addresses alone, and requests go to hosts', async () => {
  const cells = ['import bertscope\nscope = bertscope.live("time flies")\nscope', ''];
  const notebook = await JupyterNotebook.open('lab', cells, {
    policy: "worker-src data:; connect-src 'self' ws: blob:",
  });
  try {
    await notebook.run(0);
    const picture = notebook.page.locator('bert-scope');
    await picture.locator('.query .piece', {hasText: 'flies'}).waitFor();
    await eventually('a result', async () =>
      assert.match(await notebook.runCode(1, 'scope.result.attention(0, 0).shape'), /\(4, 4\)/),
    );
  } finally {
    await notebook.close();
  }
});

test('an encoder-decoder model has three parts to choose from', async () => {
  const notebook = await JupyterNotebook.open('lab', [
    `import bertscope, torch
from transformers import BartConfig, BartModel
sizes = dict(d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2)
config = BartConfig(vocab_size=20, encoder_ffn_dim=32, decoder_ffn_dim=32, attn_implementation="eager", **sizes)
model = BartModel(config).eval()
ids = torch.tensor([[0, 5, 6, 2]]), torch.tensor([[2, 7, 8]])
output = model(input_ids=ids[0], decoder_input_ids=ids[1], output_attentions=True)
words = ["<s>", "le", "chat", "</s>"], ["</s>", "the", "cat"]
scope = bertscope.attention(words[0], output, decoder_tokens=words[1], filter="cross")
scope`,
    'scope.result.attention(1, 0).shape, scope.result.tokens',
  ]);
  try {
    await notebook.run(0);
    const picture = notebook.page.locator('bert-scope');
    await picture.locator('.query .piece', {hasText: 'cat'}).waitFor();
    assert.match(await notebook.run(1), /\(3, 4\), \['<\/s>', 'the', 'cat'\]/);
    await notebook.runCode(1, 'scope.filter = "encoder"');
    await picture.locator('.query .piece', {hasText: 'chat'}).waitFor();
  } finally {
    await notebook.close();
  }
});
