/** @import {ModelStrings} from '../en/models.js' */

/**
 * What the dialog for choosing a model says, in Chinese.
 *
 * @type {ModelStrings}
 */
export const models = {
  title: '模型',
  help: '任意 BERT、DistilBERT、RoBERTa、CamemBERT、XLM-R、ELECTRA、ALBERT、ModernBERT、MPNet、DeBERTa v3、GPT-2、GPT-NeoX（Pythia）、小型 Llama、Qwen2 或 Qwen3、T5、Marian 或 BART；Llama、Qwen2 和 Qwen3 也可来自 GGUF 文件。边下载边量化，在此浏览器中运行。',
  name: 'Hugging Face Hub 上的名称（owner/name，可加 @revision），或网址',
  searched: (host) => `键入时由 ${host} 给出名称建议：只有此栏中键入的内容会发送到那里。`,
  hub: '其他 Hub，或需要登录的模型',
  endpoint: 'Hub 的网址',
  token: '访问令牌；页面关闭后即被忘记',
  load: '加载',
  loadNamed: (name) => `加载 ${name}`,
  files: '选择文件或 .zip…',
  folder: '选择文件夹…',
  loading: (name) => `正在加载 ${name}`,
  rate: (megabytes) => `· ${megabytes} MB/s ·`,
  stop: '停止',
  asks: (name, megabytes) => `${name} 需要下载 ${megabytes} MB。`,
  agree: '下载',
  notNow: '暂不',
  failed: (detail) => `模型没有加载，之前的模型继续可用：${detail}`,
  actionFailed: (detail) => `没有成功：${detail}`,
  noAnswer: (detail) => `没有连接。之前的模型继续可用。详情：${detail}`,
  notKept: (detail) => `模型可用，但没有保存：${detail}`,
  notLasting: '此浏览器不允许页面保存数据：页面关闭后模型即消失。',
  kept: '保存在此浏览器中',
  none: '还没有。您加载的模型会留在这里，无需网络即可打开。',
  open: '打开',
  download: '下载',
  remove: '移除',
  known: '值得打开的模型',
  current: '正在使用：',
  inUse: '正在使用',
  embeddedRuns: '正在使用：本页内置的小型教学模型。',
  dates: {
    name: '日期：编码器-解码器模型',
    what: '本页还自带一个模型，它把用文字写的日期改写成数字：',
  },
  untried: '点击一次即从 huggingface.co 下载并保存。它们尚未在本页测试过。',
  licence: (licence) => `许可证：${licence}`,
  what: {
    english:
      '大多数注意力论文使用的模型。第 7 层第 9 头中，宾语看向它的动词；第 4 层第 3 头中，代词看向它所指的词（Clark 等，2019）。',
    cased: '区分大小写。比较“may”和“May”，或“turkey”和“Turkey”。',
    distilled: '层数为 BERT 的一半，训练目标是像 BERT 一样回答。看看留下了哪些种类的头。',
    sentences: '为每个句子给出一个向量，用于比较句子。看看它的最后一层从哪些词收集信息。',
    sentiment: '区分好评与差评。在工作台中关闭一些头，看看它的判断何时改变。',
    languages: '一个词表，104 种语言。把一个句子和它的译文作为两个句子。',
    decoder:
      '它预测下一个词元，因此没有词元会看向后面的词元。在工作台中关闭一些头，再让它续写句子。',
    local: '每三层中有一层能看到全文，其余层两侧各看 64 个词元。在长文本上比较它们的头。',
  },
  close: '关闭',
};
