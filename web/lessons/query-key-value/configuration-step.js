import {html} from 'lit';
import {idTable} from '../parts/id-table.js';
import {stepParts} from '../parts/step-parts.js';
import {aircraft} from '../example-sentences.js';
import {step} from '../step.js';

/** Shows the configuration of the model, by the names that transformers gives its values. */
export const configuration = step({
  sentences: [aircraft],
  choices: {part: 'ids'},
  bertBase: {},
  async compute({model}, {sentences: [text]}) {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    const {config} = model;
    return {
      ids: [...ids.data],
      tokens: tokens[0],
      hiddenSize: config.hiddenSize,
      heads: config.heads,
      config: {
        vocab_size: config.vocabulary,
        hidden_size: config.hiddenSize,
        num_hidden_layers: config.layers,
        num_attention_heads: config.heads,
        intermediate_size: config.intermediateSize,
        hidden_act: config.activation,
        max_position_embeddings: config.positions,
        type_vocab_size: config.tokenTypes,
        layer_norm_eps: config.layerNormEpsilon,
      },
    };
  },
  widget: ({ids, tokens, config}, context) =>
    stepParts(context, {
      ids: {
        label: context.labels.ids,
        content: idTable(tokens, ids, context.labels.caption(tokens.length)),
      },
      config: {
        label: context.labels.config,
        content: html`<table class="facts">
          <caption>
            ${context.labels.config}
          </caption>
          <tbody>
            ${Object.entries(config).map(
              ([name, value]) =>
                html`<tr>
                  <th scope="row"><code>${name}</code></th>
                  <td class="number">${value}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      },
    }),
  asked: {
    kind: 'choice',
    options: ({config}) => Object.keys(config).filter((name) => Number.isInteger(config[name])),
    async find({model}, _, {config}) {
      const {max_position_embeddings: rows} = config;
      const tooLong = Array.from({length: rows + 1}, () => 'a').join(' ');
      const {tokens} = await model.tokenize([tooLong], {specialTokens: false});
      return tokens[0].length <= rows ? 'max_position_embeddings' : null;
    },
  },
  code: (_, __, [text]) => `
inputs = tokenizer(${JSON.stringify(text)}, return_tensors="pt", add_special_tokens=False)
print(inputs.input_ids)
print(model.config)`,
});
