/** @import {Course} from '../../en/lessons/index.js' */
/** @import {Counts} from '../../en/lessons/why-written.js' */

const asking = '写出的词元';

const parts = {year: '年', month: '月', day: '日', hyphens: '连字符', end: '结尾'};

/** @param {string[]} words */
const quoted = (words) => words.map((word) => `“${word}”`).join('或');

/** @type {Course['lessons']['why-written']} */
export const whyWritten = {
  title: '为什么写出这个？',
  summary:
    '写出的一个词元从哪里来：来自读入的文本，还是来自之前写出的内容。解释会给出说法，您来检验它，它不一定通得过。',
  beyond: '动手才看得到：遮住解释最先点名的词，有时写出来的还是同一个数字。',
  steps: {
    'one-by-one': {
      title: '一个词元接一个词元',
      prose: [
        '这个模型您已经认识：它读人们写的英文日期，用数字写出来。按一下按钮看看：每写一个词元，它都读一遍自己写出的全部内容，再猜下一个。',
        '它几乎总是很有把握。这一课要问为什么：文本里的什么，和它自己写出的什么，使它恰好写出这个词元？',
      ],
      question: '“hello”里根本没有日期。它会写出什么？',
      answer:
        '它写出日期的形式，里面什么也没有。形式它没有文本也知道；填进形式的内容必须来自文本。所以一个词元可以有两个来源，后面几步把它们分开。',
      labels: {
        write: '写下一个词元',
        again: '重新开始',
        next: (written, token, share) =>
          `${written ? `“${written}”之后` : '首先'}写“${token}”：${share}。`,
        ended: (written) => `它写出了“${written}”：最后一个词元结束文本。`,
        guesses: '对下一个词元的猜测',
        written: (count) => `已经写出：${count} 个词元，和它们的编号`,
      },
    },
    'eight-heads': {
      title: '八个头，好几个答案',
      prose: [
        '写一个词元的时候，交叉注意力的每个头都看文本。表里一行是一个头，用层号和头号命名；每行的和是 1。',
        '写第一个“1”时，各头并不一致：有的看年份里的“1”，有的看它后面的“9”。模型学习时，只有 1.0 这个头有人教过看哪里。',
        '所以“它看哪里？”有八个答案。换别的词元看看。',
      ],
      question: '有多少个写出的词元，八个头看得最多的是文本里的同一个词元？',
      answer: (_, facts) =>
        facts
          ? `${facts.all} 个里有 ${facts.agreed.length} 个。谁给您看一个头，谁就挑选过。要解释这个词元，得把所有的头和层合在一起。`
          : '',
      options: {never: '一个也没有', few: '不到一半', many: '一半或更多'},
      labels: {
        asking,
        layer: '层',
        head: '头',
        weights: '所有的头',
        picture: '一个头',
        table: (token) => `写“${token}”时每个头看哪里`,
        axes: ['层.头', '读入（键）'],
      },
    },
    taken: {
      title: '看不等于取',
      prose: [
        '一个权重说的是某一层的一个头看哪里。*ALTI+*（Ferrando 等，2022）把它们全部合在一起：它问每个词元的部分与注意力所得的每个和有多接近，贯穿编码器和解码器的所有层，直到写出的词元。',
        '文本的份额和之前写出内容的份额，加起来是 100%。拿它们与一个头比较：先是它看哪里，再是词元从哪里取。',
      ],
      question: '把所有的头和所有写出的词元都算上：头看得最多的，有多少次正是词元取得最多的？',
      answer: (_, facts) =>
        facts
          ? `${facts.all} 次里有 ${facts.agreeing} 次。一个头只是许多条路中的一条，它带来的东西会与其他一切混在一起。但两者不同，并没有说明哪个是对的：这需要检验。`
          : '',
      options: {less: '不到一半', some: '一半到四分之三', most: '超过四分之三'},
      labels: {
        asking,
        layer: '层',
        head: '头',
        finding: ({looks: [word, weight, share], takes: [most, largest]}) =>
          `这个头看得最多的是“${word}”：${weight}。词元从那里取 ${share}，取得最多的是“${most}”：${largest}。`,
        looks: ({layer, head}) => `第 ${layer} 层第 ${head} 头看哪里`,
        takes: (token) => `按 ALTI+，“${token}”从哪里取`,
        before: '（之前写出的）',
      },
    },
    'text-or-written': {
      title: '来自文本，还是来自已写出的',
      prose: [
        '一条横条是词元从文本取的份额。其余部分，直到 100%，来自之前写出的内容。',
        '年份是从文本里一个数字一个数字抄来的。结尾从文本取的比任何数字都少：日期写完了没有，要看已经写出了什么。',
        '在写出的内容里，词元多半取自最后一个：写出它的那个向量，一开始就是那个词元。',
      ],
      question: '这只是一个日期。在别的日期上平均，哪一部分从之前写出的内容里取得最多？',
      answer: (_, facts) =>
        facts
          ? `在 ${facts.dates} 个日期上：${facts.order.map(([part, share]) => `${parts[part]} ${share}`).join('，')}。下一个是哪个数字，文本里有；下一个是连字符还是结尾，要看写到了哪里。`
          : '',
      options: parts,
      labels: {
        asking,
        finding: (token, text, written) =>
          `“${token}”的 ${text} 来自文本，${written} 来自已写出的内容。`,
        fromText: '每个写出的词元，来自文本的份额',
        fromWritten: (token) => `“${token}”从之前的每个词元各取多少`,
      },
    },
    hidden: {
      title: '检验一下',
      prose: [
        '解释是可以检验的。遮住它说取得最多的词元：写出的词元应该变。遮住它说取得最少的：应该不变。',
        '遮住的意思是，模型在那里读到 `<unk>`，一个它不认识的词。之前写出的内容保持原样。',
        '把各个数字都看一遍。ALTI+ 在哪些数字上通得过？',
      ],
      question: '对每个数字，遮住 ALTI+ 说它取得最多的词元。日期里有几个数字会变？',
      answer: (_, facts) => (facts ? told(facts) : ''),
      labels: {
        asking,
        none: '这段文本里没有能单独遮住的词元。',
        finding: (token, most, least) =>
          `“${token}”取得最多的是“${most[0]}”（${most[1]}），没有它就写“${most[2]}”；取得最少的是“${least[0]}”（${least[1]}），没有它就写“${least[2]}”。`,
        whole: '整个文本',
        without: (word) => `没有“${word}”`,
      },
    },
    'own-date': {
      title: '您自己的日期',
      prose: [
        '请输入一个英文日期。第一张图是按 ALTI+ 一个词元从哪里取；第二张图是遮住文本里的每个词元，它的概率各损失多少。',
        '在“Friday, 20 December 1985”里，两者对日的说法不同：日从“december”取得最多，但没有这个词，写出的还是同一天。',
        '接下来：*哪些词？*就这样解释任何编码器—解码器写出的内容。只有解码器的模型，例如 GPT-2，那里有 *ALTI-Logit*；*预测词语*里有 *logit lens*，它读取每一层。',
      ],
      question: '您的日期里，ALTI+ 对哪个词元解释错了？您怎么知道？',
      answer:
        '份额说的是，最后读取的那个向量里混入了每个词元多少。它没有说模型拿它做了什么：份额不是原因。遮住也有局限：两个词可能互相替代，而且模型读的是一段没有人写过的文本。所以请说明您量的是哪一个，并多试几个日期。',
      labels: {
        asking,
        shares: (token) => `按 ALTI+，“${token}”从哪里取`,
        losses: (token) => `遮住每个词元时，“${token}”损失多少`,
        words: '在“探索”的“哪些词？”里打开',
        docs: '更多方法：如何解读注意力',
      },
    },
  },
};

/** @param {Counts} counts */
function told({digits, most, least, others, misses}) {
  const counted = `${digits} 个里有 ${most} 个变了；遮住取得最少的词元，变了 ${least} 个。`;
  const failed = misses.slice(0, 3).map(({token, after, named, needed}) => {
    const other = needed.length ? `能使它变的是${quoted(needed)}` : '没有一个词元能单独使它变';
    return `在${after && `“${after}”之后的`}“${token}”上没有通过：它点名“${named}”，但${other}。`;
  });
  const form = others ? '' : '无论遮住哪个词元，连字符和结尾都不变，不管它们的份额是多少。';
  return `${counted}${failed.join('')}${form}`;
}
