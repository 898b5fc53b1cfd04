/** @import {Course} from '../../en/lessons/index.js' */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)}%`;

const noBlank = '请在句子里用 [MASK] 代替一个词。';

/** @type {Course['lessons']['guess-the-word']} */
export const guessTheWord = {
  title: '少了一个词',
  summary: '两分钟，不用公式：模型猜出缺少的词，您来找出它是从哪些词猜到的。',
  beyond: '动手才看得到：拿走一道目光，或换掉一个词，猜出的就是另一个。',
  steps: {
    missing: {
      title: '猜猜缺少的词',
      prose: [
        '句子里少了一个词，模型把这个空位叫作 `[MASK]`。您会填哪个词？',
        '模型也来猜：这是它最好的五个词，以及各有多大把握。没有人为此写过规则。模型读过许多句子，每次都猜其中被盖住的词。',
        '改动句子，或者把 `[MASK]` 放到另一个词的位置上。',
      ],
      question: '再盖住一个词：少了哪一个，第一个猜测损失最大？',
      answer: (_, needed) =>
        `${needed ? `没有“${needed.word}”，“${needed.first.token}”就从 ${percent(needed.first.probability)} 降到 ${percent(needed.left)}。` : ''}和您一样，模型只有其他的词。每个词轮流盖住一次，少了这一个，第一个猜测损失最大。一个词怎样到达另一个词，后面三步来看。`,
      labels: {guesses: '模型会在 [MASK] 处写什么', noBlank},
    },
    looking: {
      title: '它在看哪里？',
      prose: ({informative, word}) => [
        '这样的模型有许多小部件，叫作*头*。每个头都从每个词看向其他词，并从看到的地方带回一些东西。',
        informative
          ? `这些线是其中一个头在空位上的目光：第 ${informative.layer} 层第 ${informative.head} 头。它看得最多的是“${word}”。点左边的另一个词，就改看它的目光。`
          : noBlank,
      ],
      question: '模型有许多头。在多少个头里，空位看得最多的也是这个词？',
      answer: (_, count) =>
        `${count ? `${count.all} 个头中有 ${count.alike} 个。` : ''}没有人挑选这个头。每个头轮流关掉一次；在那些从空位看向某个词的头里，少了它，猜测的损失最大。`,
      options: {one: '只有这一个', few: '不超过四分之一', many: '超过四分之一'},
      labels: {
        looks: ({layer, head, share}, word) =>
          `第 ${layer} 层第 ${head} 头：[MASK] 把 ${percent(share)} 的注意力给了“${word}”。`,
        noBlank,
      },
    },
    without: {
      title: '拿走那道目光',
      prose: ({word}) => [
        `如果猜测靠的是这个头看向“${word}”，那么没有这个头，猜测就该变差。所以只关掉这一个头，别的都不动。`,
        '比较这些条。少掉的，就是这个头带来的东西。',
      ],
      question: '如果把这一层的头全部关掉，第一个猜测还一样吗？',
      answer(_, guesses) {
        const shows = '头加了什么，要看差别。';
        if (!guesses) return shows;
        const {first, now} = guesses;
        return first.token === now.token
          ? `仍是“${now.token}”，${percent(first.probability)} 变成了 ${percent(now.probability)}：别的层还在工作，那里有些头看的是同样的词。${shows}`
          : `“${first.token}”（${percent(first.probability)}）变成了“${now.token}”（${percent(now.probability)}）：别的层弥补不了这一层。${shows}`;
      },
      options: {same: '一样，同一个词', other: '不一样，另一个词'},
      labels: {
        head: ({layer, head}) => `第 ${layer} 层第 ${head} 头`,
        states: {off: '关', on: '开'},
        before: '有这个头',
        after: '没有它',
        withHead: ({token, probability}) => `有这个头：“${token}”，${percent(probability)}。`,
        finding: (first, [now]) =>
          now.token === first.token
            ? `仍是“${first.token}”，但 ${percent(first.probability)} 变成了 ${percent(now.probability)}。`
            : `“${first.token}”（${percent(first.probability)}）变成了“${now.token}”（${percent(now.probability)}）。`,
        noBlank,
      },
    },
    swapped: {
      title: '换一个词，换一个猜测',
      prose: ({word}) => [
        `最后的检验不用任何机关：用另一个词代替“${word}”，其余不动。`,
        '猜测跟着变。缺少的词是从周围的词猜出来的，*注意力*就是从后者到前者的路。后面的课把它拆开。',
      ],
      question: '模型理解这个句子了吗？',
      answer: '这些数字说明不了这么多。它们只说明猜测取决于某个词，以及经过哪条路。',
      labels: {
        other: (word) => `代替“${word}”`,
        before: (word) => `用“${word}”`,
        after: '用另一个词',
        noBlank,
      },
    },
  },
};
