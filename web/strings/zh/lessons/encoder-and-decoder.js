/** @import {Course} from '../../en/lessons/index.js' */

const layer = '层';
const head = '头';
const asking = '写出';
const options = {same: '同样的日期', other: '另一个日期', none: '根本不是日期'};

/** @type {Course['lessons']['encoder-and-decoder']} */
export const encoderAndDecoder = {
  title: '编码器和解码器',
  summary:
    '一个训练好的模型，读人们写的日期，用数字写出来：它的解码器怎样看编码器读过的东西，一个数一个数地看。',
  beyond: '动手才看得到：在写出的文本和读入的文本之间剪断一条边，写出来的就是另一个数字。',
  steps: {
    'in-and-out': {
      title: '一个日期进，一个日期出',
      prose: [
        '这里一个文本看另一个文本，用的是一个学会了东西的模型：它读人们写的日期，用数字写出来。请输入您自己的，例如 `Christmas Eve of 1984`。',
        '*编码器*一次读完整个文本。*解码器*写一个词元，读它，再写下一个，最后写 `</s>`。',
        '两边都是 2 层、每层 4 个头、宽 128，词元一共 150 个：小到每个数都看得见。',
      ],
      question: '“in March”没有说日和年。它会写出什么？',
      answer:
        '`XXXX-03-XX`：它学会了给没说的部分写 X。读 3 个词元和读 10 个词元，写出来的一样多。所以像编码器那样每个词一行是不够的：写出的文本要有自己的行。',
      labels: {
        finding: (text, date) => `“${text}”变成“${date}”。`,
        texts: '两段文本',
        reads: (count) => `编码器读的：${count} 个词元，和它们的编号`,
        writes: (count) => `解码器写的：${count} 个词元，一个接一个`,
        ladder: '形状',
        steps: ({ids, memory, reads, states, probabilities}) => [
          ['编码器读的编号', ids, 'of-key'],
          ['它的输出，即记忆', memory, 'of-key'],
          ['解码器读的编号', reads, 'of-query'],
          ['它的输出', states, 'of-query'],
          ['下一个词元的概率', probabilities, ''],
        ],
      },
    },
    encoder: {
      title: '编码器什么都读',
      prose: [
        '编码器您已经认识：每个词元看文本里所有的词元，前面的和后面的。没有掩码，因为整个文本都在那里。',
        '第 0 层第 0 头多半看前一个词元。选别的头看看：每个都有自己的习惯。',
        '出来的是每个词元一个向量，[1, 词元, 128]。这就是*记忆*，解码器看到的文本只有它。',
      ],
      question: '文本末尾换一个词。第一个词元的向量会变吗？',
      answer:
        '会：每个词元都看过其他所有词元，所以它的向量里有整个文本的一点东西。再过两步，在解码器里，这种事却不许发生。',
      options: {yes: '会', no: '不会'},
      labels: {
        layer,
        head,
        picture: '连线',
        weights: '权重',
        axes: ['查询', '键'],
        memory: '记忆：编码器的输出',
        memoryAxes: ['批', '词元', '宽'],
      },
    },
    'own-attention': {
      title: '解码器读自己写的',
      prose: [
        '解码器的每一层先看自己的文本：{q:查询}、{k:键}和{v:值}都来自它目前写出的东西。`<s>` 表示“还什么都没有”。',
        '每一行的名字是刚读的词元和接着写出的词元。对角线右边是零：那里还没写。',
        '在第 0 层第 1 头里，连字符后面的词元多半看连字符。解码器就这样知道年份写完了。',
      ],
      question: '把解码器看自己文本的头全部关掉。它会写出什么？',
      answer: ({without}) =>
        `它写出“${without}”。读入的日期它还看得见，自己的文本却只看得见最后一个词元，所以不知道写到哪里了。`,
      options,
      labels: {
        layer,
        head,
        weights: '权重',
        axes: ['查询', '键'],
        output: '头的输出：权重 · V',
        outputAxes: ['批', '词元', 'd_k'],
      },
    },
    'causal-mask': {
      title: '因果掩码在起作用',
      prose: [
        '学习的时候，整个日期一次交给解码器。为了不让任何位置看到它该写的东西，它后面的分数在 softmax 之前变成 −∞，而 e^−∞ 是 0。在 PyTorch 里就是 `masked_fill`。',
        '最后一张图说明结果：让解码器在一个位置读另一个词元，这个位置之前的向量一个也不动。',
      ],
      question: '去掉掩码。权重表有几行完全不变？',
      answer:
        '只有最后一行：它后面没有什么可遮的。其他每一行都会看到自己该写的词元，于是学会照抄，而不去问编码器。',
      labels: {
        layer,
        head,
        mask: '掩码',
        scores: '分数：Q · K / √d，加掩码',
        weights: '权重：softmax',
        axes: ['查询', '键'],
        moved: '什么在动',
        changed: '换掉所读的词元',
        bars: (was, is) => `把“${was}”读成“${is}”，最后的向量各移动多远`,
      },
    },
    'looking-across': {
      title: '每个数字看哪个词',
      prose: ({written, source}) => [
        `现在是从一个文本到另一个文本的注意力。左边是写出的，右边是读入的：[${written.length}, ${source.length}]，写出的词元各占一行，读入的词元各占一列。`,
        '第 1 层第 0 头看的是正在写下来的那个词。它学习时有人教它看哪里，所以它的权重成为对齐，并不是什么发现。别的头没有人教过：比一比。',
      ],
      question: '把交叉注意力的头全部关掉。解码器会写出什么？',
      answer: ({without}) =>
        `它写出“${without}”，换成别的文本也一样。它知道日期长什么样，却不知道您说的是哪一个：它对您的文本所知的一切，都从这些头来。`,
      options,
      labels: {
        layer,
        head,
        most: '每个词元看得最多的：',
        picture: '连线',
        weights: '权重',
        axes: ['写出（查询）', '读入（键）'],
      },
    },
    'step-by-step': {
      title: 'Q、K 和 V，一步一步',
      prose: [
        '{q:查询}来自解码器，要写的每个词元各一个。{k:键}和{v:值}来自编码器的记忆，只算一次：解码器写的时候它不变。',
        '每个查询乘每个键，除以 √d；在读入的文本上做 softmax，每行的和为 1；再把值按各自的权重加起来。没有掩码：那段文本整个在那里。',
        '最后各头又并排放好。要写的每个词元，输出里有一行。',
      ],
      question: '对这个日期，整个模型的所有层和头一共算出多少个交叉注意力权重？',
      answer: ({shape: {layers, heads}, written, source}) =>
        `层 · 头 · 写出 · 读入 = ${layers} · ${heads} · ${written.length} · ${source.length}。多写一个词元，多一行，从不多一列。`,
      labels: {
        layer,
        head,
        asking,
        ladder: '一层所有头的形状',
        steps: ({states, memory, query, key, weights, output, combined}) => [
          ['解码器，看过自己之后', states, 'of-query'],
          ['编码器的记忆', memory, 'of-key'],
          ['Q，拆开', query, 'of-query'],
          ['K，以及 V，拆开', key, 'of-key'],
          ['权重 = softmax(Q · Kᵀ / √d)', weights, ''],
          ['权重 · V', output, ''],
          ['各头并排', combined, ''],
        ],
        row: '一行',
        scores: '分数：Q · K / √d',
        weights: '权重：softmax',
        axes: ['写出（查询）', '读入（键）'],
        output: '权重 · V',
        writtenAxes: ['批', '写出', 'd_k'],
        readAxes: ['批', '读入', 'd_k'],
      },
    },
    'teacher-forcing': {
      title: '教师强制，和它自己的文本',
      prose: [
        '学习的时候，解码器从没读过自己的错误：不管它预期什么，交给它的总是正确的日期，错开一个位置。这就是*教师强制*（teacher forcing）。有了掩码，所有位置一遍就都学了。一个位置的损失是 −log p，p 是下一个词元的概率。',
        '交给它另一个日期的开头，当作是它自己写的：它照读，然后自己往下写。交给它一整个日期，看到的就是一步训练。',
      ],
      question: '给它正确的年份，和错误的月份首位：0 换成 1，或 1 换成 0。它会写出哪个月？',
      answer:
        '写出的词元它收不回来，错误之后该写什么，它也从没学过：这个缺口叫*暴露偏差*（exposure bias）。给它“3 May 1955”和 `1955-1`，它写出 15 月。',
      options: {right: '正确的月', other: '错误但存在的月', none: '不存在的月'},
      labels: {
        given: '交给解码器（有底色）',
        isGiven: '（给的）',
        finding: (own, text) => `自己写是“${own}”，接着给的写是“${text}”。`,
        loss: (mean) => `所给部分的平均损失：${mean}。`,
        caption: '解码器，一个位置一个位置地看',
        columns: ['读', '预期', '下一个', 'p', '损失'],
      },
    },
    'cut-edge': {
      title: '剪断一条边',
      prose: [
        '一条边就是一个权重：从写出的一个词元到读入的一个词元。把它设为 0，让这一行其他的权重分掉它原有的份。',
        '只在一个头里剪，几乎察觉不到，因为别的头也看同一个词。在整层里剪，或者到处都剪：现在写出哪个数字？',
        '试试 `Christmas Eve of 1984`。这个头看“christmas”，不看它，日子不变；不看几乎没看过的“eve”，日子变成 25。',
      ],
      question: '只在所选的头里剪断这条边。写出的还是同一个词元吗？',
      answer:
        '比一比猜测：概率少了多少？一条线说明头看向哪里，还没有说明答案需要什么。下一课从这里接着讲；最后一课*这重要吗？*就这样问一个 BERT。',
      options: {yes: '是', no: '不是'},
      labels: {
        layer,
        head,
        asking,
        to: '不看',
        where: '剪在',
        places: {head: '这个头', layer: '它的层', all: '所有层'},
        finding: (token, word, before, after) =>
          `“${token}”不看“${word}”：“${before}”变成“${after}”。`,
        guesses: '猜测',
        before: '之前',
        after: '剪断之后',
        weights: (place) => `第 ${place.layer} 层第 ${place.head} 头的权重`,
        axes: ['何时', '读入（键）'],
        rows: ['之前', '剪断'],
      },
    },
  },
};
