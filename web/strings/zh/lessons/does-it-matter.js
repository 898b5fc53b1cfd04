/** @import {Course} from '../../en/lessons/index.js' */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)}%`;

/** @param {{layer: number, head: number}} place */
const name = ({layer, head}) => `第 ${layer} 层第 ${head} 头`;

const noBlank = '请在句子里用 [MASK] 代替一个词。';

/** @type {Course['lessons']['does-it-matter']} */
export const doesItMatter = {
  title: '这重要吗？',
  summary: '从头看哪里，到答案取决于什么：关掉头，跟踪向量，遮住词，交换部件。',
  beyond: '动手才看得到：每一种解释方法都在您自己的句子上接受检验，有的通不过。',
  steps: {
    resting: {
      title: '什么也没看的头',
      prose: (seen) => [
        seen
          ? `在所有的头里，${name(seen.resting)}最爱看不是词的词元：从空位出发，${percent(seen.resting.share)} 的注意力给了 \`[CLS]\` 和 \`[SEP]\`。`
          : noBlank,
        '看到这样的图，人人都会问：`[SEP]` 有什么可看，答案需要它吗？图不会说，后面几步会说。',
      ],
      question: '像这个头一样、把一半以上的注意力停在那里的头有多少？',
      answer:
        '它的权重之和必须是 1，找不到要找的东西时，总得放在某处。每个句子都有 `[CLS]` 和 `[SEP]`，模型学会了停在那里。',
      options: {one: '没有别的', some: '不到一半', most: '一半或更多'},
      labels: {
        rests: (resting) =>
          `从 [MASK] 出发，${name(resting)}把 ${percent(resting.share)} 的注意力给了 [CLS] 和 [SEP]。`,
        noBlank,
      },
    },
    without: {
      title: '关掉它',
      prose: [
        '最直接的检验：拿走这个头，看猜测怎样变。再拿走看着某个词、猜测最需要的那个头。',
        '注意力多，不等于作用大。',
      ],
      question: '两个头里，少了看着某个词的那个，猜测损失得更多吗？',
      answer:
        '少了一个头而什么都不变，这个头还不一定没用。它可能为别的句子工作，这里也可能有另一个头做同样的事。检验只说明这个答案需要什么。',
      options: {more: '是，更多', same: '不，一样多', less: '不，更少'},
      labels: {
        off: '关掉',
        resting: (resting) => `${name(resting)}，在休息`,
        looking: (looking, word) => `${name(looking)}，看着“${word}”`,
        before: '所有的头都在',
        after: '没有这个头',
        finding: (word, before, after) => `“${word}”：有这个头时 ${before}，没有时 ${after}。`,
        noBlank,
      },
    },
    carried: {
      title: '带过来的是什么',
      prose: [
        '头把 {v:value} 向量按权重加起来。向量很短时，权重再大也带不来多少。所以要量一量到达的东西有多长：权重乘以向量（Kobayashi 等，2020）。',
        '比较两张图。在 bert-base 里，`[CLS]` 和 `[SEP]` 的向量很短，权重再大也所剩无几；在这个页面的小模型里，它们并不比别的短多少。所以只看长度，说明不了为什么少了这个头也没关系。',
      ],
      question: '向量的长度就是它的作用吗？',
      answer:
        '不是。向量还有方向：两个长向量可能互相抵消，后面的层也可能不理会某个方向。为此要把每个向量跟踪到底。',
      labels: {
        weights: '注意力：空位看向哪里',
        norms: '到达的长度，按份额',
        finding: (weight, norm) => `[CLS] 和 [SEP] 占权重的 ${weight}，占长度的 ${norm}。`,
        noBlank,
      },
    },
    contributions: {
      title: '从每个词元到答案',
      prose: (seen) => [
        '模型里的一切都是来自各词元的部分之和。DecompX（Modarressi 等，2023）把这些部分一层层分开保留，直到答案。于是猜测的得分分给了各个词元，一点不剩。',
        ...(seen
          ? [
              `小于 0 的数不利于“${seen.guess}”。有利于它的，大多也有利于“${seen.other}”。决定两者胜负的是差，见第二张图：所以盖住后猜测损失最大的词，在第一张图里的条可能很短。`,
            ]
          : []),
      ],
      question: '空位自己为什么也有贡献？',
      answer: '模型学到了 `[MASK]` 处通常是什么：常见的词。这一部分得分不来自别的词元。',
      labels: {
        bars: (guess) => `对“${guess}”得分（logit）的贡献`,
        lead: (guess, other) => `对“${guess}”领先“${other}”的贡献`,
        finding: (guess, value, other, lead) =>
          `“${guess}”的得分是 ${value}，比“${other}”多 ${lead}：这些数之和。`,
        noBlank,
      },
    },
    masking: {
      title: '检验它',
      prose: [
        '这样的方法很多，结果各不相同。哪个对？按某个方法给出的次序逐个遮住词。次序对，猜测就下降得快（DeYoung 等，2020）。',
        '最后一条是随机遮住。不比它好的方法，什么也没找到。',
      ],
      question: '用“boy”代替猜测所需要的那个词。最长的还是同一种方法吗？',
      answer:
        '最长的那条在这个句子上、在这个检验里最好。遮住词也让模型面对很少见过的句子。换别的句子试试：名次会变。',
      options: {same: '还是它', other: '换成另一种'},
      labels: {
        methods: {
          decompx: 'DecompX',
          'integrated-gradients': '积分梯度',
          alti: 'ALTI',
          globenc: 'GlobEnc',
          'value-zeroing': 'Value Zeroing',
          norm: '范数',
          gradient: '梯度 × 输入',
        },
        random: '随机',
        bars: '猜测平均下降多少',
        finding: (guess, probability) => `还没有遮住任何词时，“${guess}”有 ${probability}。`,
        noBlank,
      },
    },
    deciding: {
      title: '在哪里决定',
      prose: [
        '还有一种问法：反复运行这个句子，每次把一个隐藏状态换成另一个句子的。1 表示答案变成另一个，0 表示什么都没变（激活替换）。',
        '从上往下读：差别先在您换掉的词里，直到某个头把它带到空位。',
      ],
      question: '空位那一列在第几层之后超过一半？',
      answer:
        '信息在那里从词传到了空位：词的那一列变淡，空位的那一列开始。页面的“假设”也会交换各头的输出，看得出是哪个头带过去的。',
      labels: {
        other: (word) => `代替“${word}”`,
        finding: (here, there) => `这里猜“${here}”，那里猜“${there}”。`,
        same: (guess) => `两个句子都猜“${guess}”，所以看它的得分。`,
        unequal: '请换一个也是单个词元的词。',
        map: '答案移动了多少',
        axes: ['层之后', '词元'],
        row: (index) => (index === 0 ? '嵌入' : `第 ${index - 1} 层`),
        noBlank,
      },
    },
  },
};
