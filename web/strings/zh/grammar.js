/** @import {GrammarStrings} from '../en/grammar.js' */

/**
 * What the panel of grammatical relations says, in Chinese.
 *
 * @type {GrammarStrings}
 */
export const grammar = {
  hint: '标注过的句子说明哪个词依存于哪个词，以及是什么关系。这里为每种关系找出最常显示它的头。测量的是未经改动的模型。',
  run: '用 174 个英语句子测量',
  builtIn: '本页的句子',
  own: '你自己的句子（.conllu）、词对表（.csv、.tsv），或你保存的结果（.json）',
  stop: '停止',
  progress: '测量进度',
  table: '各种关系以及最常找到它的头',
  columns: {relation: '找到什么', head: '头', found: '找到', position: '位置'},
  save: (format) => `保存为 ${format}`,

  measured: (name, sentences, words) => `${name}：${sentences} 个句子，${words} 个词。`,
  skipped: (count) => `另有 ${count} 个句子对模型来说太长。`,
  rare: (count, least) =>
    `有 ${count} 种关系的词不到 ${least} 个，说明不了头的作用；保存的表格里也有它们。`,
  of: (count, all) => `${all} 中的 ${count}`,
  besidePosition: (right, links, position) => `${links} 中的 ${right}，只看位置为 ${position}`,
  opened: ({model, precision}) =>
    `从文件打开：用 ${model} 测量，权重为 ${precision === 'int8' ? '8' : '32'} 位。`,
  noSentences: '文件里没有句子。要看这个头在哪里失败，请测量句子本身。',
  largeFile: (name, megabytes) => `${name}：应不超过 ${megabytes} MB，实际更大。`,
  interval: (low, high) => `${low}–${high}`,
  intervalHelp: '95% 区间：换一份这样的文件，比例会有这么大的变化。',
  offset: (offset) =>
    Math.abs(offset) === 1
      ? `只看位置时取${offset < 0 ? '前' : '后'}一个词。`
      : `只看位置时取${offset < 0 ? '前面' : '后面'}第 ${Math.abs(offset)} 个词。`,
  positionHelp: '不用任何头，只凭两个词之间最好的固定距离所找到的。',
  noBetter: '优势不明显',
  fewSentences: '句子太少，无法判断',
  directions: {
    to: '一个词若对所找的词的关注多于对其他任何词的关注，就算找到。',
    from: '若所找的词对一个词的关注多于其他任何词，就算找到。',
  },
  caution: '最好的头是在同样的句子上选出的，所以看起来比实际略好。',
  chance: (better, pairs, shuffled) =>
    `在 ${pairs} 对“头与关系”中，${better} 对比位置更好；若把每个句子的关系打乱，则有 ${shuffled} 对。`,

  finds: (what) => `找到${what}`,
  mapped: (what, relation) => `找到${what}（${relation}）`,
  claim: (place, finds, right, links, position) =>
    `头 ${place} ${finds}：${links} 中的 ${right}，只看位置为 ${position}。`,
  fails: (misses) => `失败之处：${misses} 个词`,
  first: (count) => `含有这种词的前 ${count} 个句子。点击可打开。`,
  click: '点击可打开句子。',
  never: '它在这些句子中没有失败。',
  searching: '正在重新阅读句子……',
  longer: (count, most) => `这里省略了 ${count} 个超过 ${most} 个字符的句子。`,
  missed: (direction, word, found, head) =>
    (found === ''
      ? `“${word}”没有别的词`
      : direction === 'to'
        ? `“${word}”最关注“${found}”`
        : `最关注“${word}”的是“${found}”`) + `，而不是“${head}”`,

  pairs: {
    title: '你自己的词对',
    name: '你的词对',
    hint: '有没有一个头从形容词指向它的名词？输入句子并标出这样的词对，或从电子表格粘贴三列（句子、第一个词、第二个词）：会测量每个头从第一个词找到第二个词的次数。',
    text: '句子，每行一个',
    first: '先点击出发的词，再点击它应该找到的词：每个词一个，以最后一次为准。',
    second: (word) => `现在点击“${word}”应该找到的词。`,
    marked: '标出的词对',
    pair: (from, to) => `${from} → ${to}`,
    remove: (pair) => `移除 ${pair}`,
    empty: ({text, isOne}) =>
      isOne ? `第 ${text} 行没有词对，不参与测量。` : `第 ${text} 行没有词对，都不参与测量。`,
    run: (count) => (count === 0 ? '测量词对' : `测量 ${count} 个词对`),
    found: '你标出的词',
    code: '你的词对',
    few: (least) => `少于 ${least} 个词对说明不了头的作用。`,
    longLine: (line, most, found) => `第 ${line} 行：最多 ${most} 个字符，实际有 ${found} 个。`,
    manyLines: (line, most) => `第 ${line} 行：最多 ${most} 个句子，实际更多。`,
    tooLong: (line) => `第 ${line} 行：这个句子对模型来说太长。`,
    noRows: '链接里没有词对：应为各行一个句子和其中两个词。',
    pasted: {
      noSentence: (line) => `第 ${line} 行：这一行或上面应有一个句子，实际没有。`,
      noWord: (line, word, words) => `第 ${line} 行：应为句子中的词（${words}），实际为“${word}”。`,
      several: (line, word, count) =>
        `第 ${line} 行：“${word}”在句子中出现 ${count} 次。第一个写作 ${word}#1，第二个写作 ${word}#2。`,
      same: (line, word) => `第 ${line} 行：应为两个不同的词，实际都是“${word}”。`,
      second: (line, word) => `第 ${line} 行：从“${word}”出发只能找一个词，实际有另一个。`,
    },
  },

  search: {
    title: '寻找一个头',
    hint: '在显示的句子中标出一条连接：所有的头按第一个词对第二个词的关注程度排列。',
    first: '先点击发出关注的词，再点击它所关注的词。',
    second: (word) => `现在点击“${word}”所关注的词。`,
    noHead: '没有头能建立这条连接：这个模型只看一个词之前的内容，或其中一个词没有自己的词元。',
    table: (from, to) => `“${from}”最关注“${to}”的头`,
    here: '这里',
    inFile: '测量结果',
    inFileHelp: (what) => `测量结果：这个头找到${what}的次数。`,
    all: (heads) => `显示全部 ${heads} 个头`,
    relation: '与哪种关系的测量结果比较',
    none: '不比较',
  },
  annotated: (links, relation) => `虚曲线：按标注，${links}（${relation}）`,
  annotatedWhole: (links) => `虚曲线：按标注，${links}`,
  sentence: {open: '显示一个有标注的句子', next: '下一个句子', whole: '画出它的全部标注'},
  measuredNames: '在有标注的句子上测得',

  below: '所有的头合在一起',
  tree: (right, links, neighbours) =>
    `平均注意力最强的树有标注树 ${links} 条连接中的 ${right} 条；相邻词的链有 ${neighbours} 条。`,
  antecedents: (place, right, links, nearest) =>
    `再次提及：头 ${place} 在 ${links} 次中有 ${right} 次找到同一事物的先前提及；最近的先前提及有 ${nearest} 次正确。`,

  relations: {
    acl: '从句所描述的名词',
    'acl:relcl': '关系从句的名词',
    advcl: '状语从句所属的词',
    advmod: '副词所属的词',
    amod: '形容词的名词',
    appos: '同位语所解释的名词',
    aux: '助动词的动词',
    'aux:pass': '被动助动词的动词',
    case: '介词或 ’s 的名词',
    cc: '“和”或“但是”所连接的部分',
    'cc:preconj': '“both”或“either”所引出的部分',
    ccomp: '以从句为宾语的词',
    compound: '复合词的主要词',
    'compound:prt': '小品词的动词',
    conj: '“和”所连接的第一部分',
    cop: '系动词的谓语',
    csubj: '以从句为主语的谓语',
    det: '限定词的名词',
    'det:predet': '冠词之前“all”或“such”的名词',
    discourse: '感叹词所属的词',
    expl: '虚主语“it”或“there”的动词',
    fixed: '固定短语的第一个词',
    flat: '名称的第一个词',
    iobj: '间接宾语的动词',
    mark: '“that”、“if”或“to”所引出的从句',
    nmod: '另一个名词所属的名词',
    'nmod:poss': '有所有者的名词',
    nsubj: '主语的谓语',
    'nsubj:pass': '被动主语的谓语',
    nummod: '数词的名词',
    obj: '宾语的动词',
    obl: '状语名词所属的词',
    'obl:agent': '“by”短语的被动动词',
    'obl:unmarked': '无介词名词所属的词',
    parataxis: '与另一分句并列的分句',
    punct: '标点所属的词',
    vocative: '称呼语所属的词',
    xcomp: '无主语动词所补足的词',
  },
  other: (relation) => `带“${relation}”的词所属的词`,
};
