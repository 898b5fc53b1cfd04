/** @import {Course} from '../../en/lessons/index.js' */

const reroll = '换一组随机数';
const way = '显示';
/** @param {number} index */
const head = (index) => `头 ${index}`;

/** @type {Course['lessons']['splitting-heads']} */
export const splittingHeads = {
  title: '拆分头，以及看向另一边',
  summary: '一个宽张量怎样变成许多头、又合成一个，以及解码器怎样看编码器读过的东西。',
  beyond:
    '动手才看得到：轴为什么必须*交换*。形状正确的捷径会把词元和头搅在一起，而且没有任何报错。',
  steps: {
    split: {
      title: '一个张量，许多头',
      prose: [
        '没有人一个一个地运行头。一个宽的层一次造出所有头的向量 [批, 词元, 头 · d_k]，再靠改变形状把它们分开。',
        '每个头占一段列。先把最后一个轴切成两个，再让词元和头换位，于是每个头有了自己的表：[批, 头, 词元, d_k]。',
        '没有一个数改变。跟着颜色看。',
      ],
      question: '不能直接把形状改叫 [批, 头, 词元, d_k] 吗？',
      answer:
        '试试“只改名”。形状是对的，但数字按内存里的顺序、一个词元接一个词元地发下去。“头 0”拿到的是前几个词元的所有头。它能运行，也能学到点什么，但那不是注意力。',
      options: {yes: '能', no: '不能'},
      labels: {
        way,
        ways: {together: '合在一起', split: '拆开', wrong: '只改名（错）'},
        head,
        moving: '每个数',
        split: '拆开后',
        axes: ['批', '头', '词元', 'd_k'],
        reroll,
        shapes: {
          together: (x, split) =>
            `[${x.join(', ')}]：批、词元、头 · d_k = ${split[1]} · ${split[3]}。`,
          split: (x, split) => `[${x.join(', ')}] 变成 [${split.join(', ')}]：批、头、词元、d_k。`,
          wrong: (x, split) =>
            `也是 [${split.join(', ')}]，来自 [${x.join(', ')}]，可是每张表里什么颜色都有。`,
        },
      },
    },
    combine: {
      title: '许多头，一个张量',
      prose: [
        '注意力之后要走回来：头和词元再换回位置，每个词元的各个头并排放好。',
        '两步之间 PyTorch 要 `contiguous()`：交换轴只改变读内存的方式，而 `view` 要求数字按新的顺序存放。',
      ],
      question: '只有一个头时，“只改名”也会出错吗？',
      answer:
        '只有一个头，什么都不用换位置，所以用一个头来测试发现不了这个错误。有几个头时，拆开使一次矩阵乘法就处理所有的头，而一个词元的头 0 永远不会碰到它的头 1：在两步之间，注意力对批和头一视同仁，都只是若干张各自独立的表。',
      options: {wrong: '会，出错', right: '不会，是对的'},
      labels: {
        way,
        ways: {split: '拆开', together: '合并', wrong: '只改名（错）'},
        head,
        moving: '每个数',
        combined: '合并后',
        axes: ['批', '词元', '头 · d_k'],
        reroll,
        difference: (split, combined, difference) =>
          `[${split.join(', ')}] 变成 [${combined.join(', ')}]。与拆开之前相比，最大的差是 ${difference}。`,
      },
    },
    'cross-attention': {
      title: '5 个查询看 7 个键',
      prose: [
        '没有谁说{q:查询}和{k:键}必须来自同一段文本。这里 5 个查询看 7 个键，一次 4 个例子，宽 256，8 个头。',
        '权重表不再是方的：每个查询一行，每个键一列。键和{v:值}必须一样多，因为每个值都按它的键的权重来取。',
        '输出的行数等于查询数，宽度不变：[4, 5, 256]。并排的各头还没有混合；完整的层，如 `nn.MultiheadAttention`，通常还要再混合一次。两种这里都有。',
      ],
      question: '查询数、键数、头数，输出的形状取决于哪一个？',
      answer: '只取决于查询数。键被求和消掉了，头又合并了。试试看。',
      options: {queries: '查询数', keys: '键数', heads: '头数'},
      labels: {
        queries: '查询',
        keys: '键',
        heads: '头',
        values: '值',
        valueChoices: {own: '自己的张量', keys: '就是键'},
        ladder: '一步一步的形状',
        steps: ({query, key, queryHeads, keyHeads, weights, output}) => [
          ['查询', query, 'of-query'],
          ['键，以及值', key, 'of-key'],
          ['查询，拆开', queryHeads, 'of-query'],
          ['键，拆开', keyHeads, 'of-key'],
          ['权重', weights, ''],
          ['输出', output, ''],
        ],
        weights: '权重',
        weightAxes: ['批', '头', '查询', '键'],
        outputs: '不经和经过最后一层的输出',
        combined: '并排，尚未混合',
        output: '最后一层之后',
        axes: ['批', '查询', '宽'],
        reroll,
      },
    },
    sides: {
      title: '谁来问，谁来答',
      prose: ({source, target, shape}) => [
        '在翻译或缩写的模型里，*编码器*读原文（第一个句子），*解码器*写新文本（第二个）。解码器来问：{q:查询}来自它这边。编码器来答：{k:键}和{v:值}来自它读过的东西。',
        `所以权重是 [${shape.join(', ')}]：正在写的词元有 ${target.length} 行，读过的有 ${source.length} 列。每行的和为 1。`,
        '把一个句子写长，看表的哪一边在长。',
      ],
      question: '在第二个句子里多写一个词。表里多出来的是什么？',
      answer:
        '写出的每个词元都自己提问，所以各有一行；列是读过的内容。这里不需要因果掩码：写第一个词之前，原文就整个在那里，所以哪个词元都可以看。只有解码器对自己的注意力要加掩码。',
      options: {rows: '行', columns: '列', both: '行和列'},
      labels: {
        weights: '头 0 的权重',
        weightAxes: ['解码器（查询）', '编码器（键）'],
        targetAxes: ['批', '解码器', '宽'],
        sourceAxes: ['批', '编码器', '宽'],
        reroll,
      },
    },
    'decoder-layer': {
      title: '完整的编码器-解码器层',
      prose: [
        '各一层，没有训练过。编码器层您已经认识。解码器层有三部分：对已写内容的注意力（因果），对编码器的注意力，以及前馈；每部分都有跳跃连接和归一化。',
        '第一张权重表对角线之上全是零，第二张没有。看自己与看另一边，差别就在这里。',
      ],
      question: '写出的文本一个词元一个词元地变长时，这三部分里哪一部分只需算一次？',
      answer:
        '编码器只算一次，解码器从它那里取的键和值也是。加一个词元时，只有它自己那一行是新的：前面的都不许往后看，所以前面的都不变。生成器留着这些键和值，这就是“KV 缓存”。',
      options: {own: '解码器看自己', cross: '解码器看编码器', encoder: '编码器'},
      labels: {
        memory: '编码器的输出',
        weights: '权重',
        own: '解码器看自己，头 0',
        cross: '解码器看编码器，头 0',
        output: '解码器的输出',
        ownAxes: ['查询', '键'],
        weightAxes: ['解码器（查询）', '编码器（键）'],
        targetAxes: ['批', '解码器', '宽'],
        sourceAxes: ['批', '编码器', '宽'],
        reroll,
      },
    },
  },
};
