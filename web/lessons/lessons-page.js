import {render} from 'lit';
import {adoptStyles} from '../controls/adopt-styles.js';
import {pageModels} from '../session/model-cache.js';
import {parseRoute} from '../routes/routes.js';
import {lessonTemplate} from './lesson-templates.js';
import {announce} from './answers/announce.js';
import {openClassLink} from './class-link.js';
import {AnswerBook} from './answers/answer-book.js';
import {readAnswers} from './answers/answer-fields.js';
import {StepQuestion} from './answers/step-question.js';
import {openAnswers} from './answers/answers-dialog.js';
import {DelayedWrite} from './delayed-write.js';
import {lessonAfter} from './index.js';
import {loadSteps, stepsOf} from './lesson-steps.js';
import {contextOf} from './step-context.js';
import {stepKey} from './step-keys.js';
import {OtherPages} from './other-pages.js';
import {findStep, formatStart, parseModel, parseStep} from './lesson-address.js';
import {WindowFit, scrollOn} from './fit-window.js';
import {isInPlatform} from './platform.js';
import {overviewTemplate} from './overview-template.js';
import {PageColours} from './page-colours.js';
import {PresentedStep} from './presented-step.js';
import {ProsePages} from './prose-pages.js';
import {Progress} from './seen-steps.js';
import {ShownStep} from './shown-step.js';
import {StepModels} from './step-models.js';
import {StepRun} from './step-run.js';
import {ViewerModel} from './viewer-model.js';
import {lessonStyles} from './styles.js';
import {liveStrings} from '../strings/live.js';
import {frameText, lessonTexts} from './lesson-text.js';
import './parts/tensor-block.js';

/** @import {Route} from '../routes/routes.js' */
/** @import {Lesson} from './index.js' */
/** @import {Input, Step} from './step.js' */
/** @import {AnswerSheet} from './answers/answer-fields.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */

adoptStyles(document, ...lessonStyles);

/** @param {HTMLElement} root @param {BertScope} viewer */
export function open(root, viewer) {
  const page = new LessonsPage(root, viewer);
  return {
    show: (/** @type {Route} */ route) => page.show(route),
    leave: () => page.leave(),
  };
}

class LessonsPage {
  #root;
  #model;
  #progress = new Progress();
  #isShown = false;
  #large = false;
  #presented = new PresentedStep(
    (by) => this.#onward(by),
    (apply) => this.#change(apply),
  );
  /** @type {ShownStep | null} */
  #place = null;
  /** A message above the list of lessons. */
  #problem = '';
  #pages;
  #question;
  #fit;
  #colours;
  /** The reader's input to the step that is shown. @type {Input} */
  #input = {sentences: [], choices: {}};
  #book = new AnswerBook();
  #others = new OtherPages(this, () => this.#render());
  #models = new StepModels();
  #run = new StepRun(this, () => this.#render());
  #addressWrite = new DelayedWrite(() => {
    // The reader may be on the way to another step or section, which is still loading.
    if (!this.#shownStep.isAddressed) return;
    history.replaceState(null, '', this.#addressOf(this.#shownStep.at));
    this.#announce();
  });

  /** @param {HTMLElement} root @param {BertScope} viewer  whose model the lessons use too */
  constructor(root, viewer) {
    this.#root = root;
    this.#model = new ViewerModel(viewer, () => {
      if (!this.#isShown) return;
      this.#model.updateLink();
      const isStale = this.#place && this.#run.isStale(this.#step, this.#model.address);
      if (isStale) this.#change(() => {});
    });
    root.className = 'lessons';
    document.documentElement.toggleAttribute('data-platform', isInPlatform);
    this.#pages = new ProsePages(root);
    this.#question = new StepQuestion(root, this.#book, this.#run, {
      step: () => this.#place?.step,
      onChange: () => {
        this.#render();
        this.#addressWrite.soon();
      },
    });
    this.#fit = new WindowFit(root);
    this.#colours = new PageColours(root, () => this.#render());
    document.addEventListener('keydown', (event) => this.#onKey(event));
    // Loads all lessons, so that they work if the network goes away.
    for (const load of Object.values(stepsOf)) load().catch(() => {});
  }

  /** @param {Route} route */
  async show(route) {
    this.#isShown = true;
    this.#addressWrite.drop();
    const model = parseModel(route);
    this.#model.follow(model);
    this.#others.close();
    this.#large = route.fields.get('large') === '1' || (this.#large && !route.path.length);
    const found = findStep(route);
    this.#presented.isOn = found !== null && route.fields.get('present') === '1';
    if (!found) {
      const isKnown = this.#others.open(route) || !route.path.length;
      this.#showList(isKnown ? '' : frameText.unknown(route.path.join('/')));
      return;
    }
    const {lesson, at} = found;
    const steps = await loadSteps(lesson.id).catch(() => null);
    if (!this.#isShown || !location.hash.startsWith(`#/lessons/${lesson.id}`)) return;
    if (!steps) {
      this.#showList(liveStrings.running.notLoaded(lessonTexts[lesson.id].title));
      return;
    }
    try {
      const isOther = this.#place?.lesson !== lesson || this.#place.at !== at;
      this.#place = new ShownStep(lesson, at, steps);
      this.#input = parseStep(route, this.#step);
      const arrived = readAnswers(route.fields, lesson.steps);
      this.#book.open(lesson.id, lesson.steps[at].id, arrived);
      const hasAnswers = arrived.name || Object.keys(arrived.answers).length > 0;
      if (hasAnswers || (model === null && this.#model.address))
        history.replaceState(null, '', this.#addressOf(at));
      if (isOther) this.#arrive();
      this.#announce();
      void this.#compute();
    } catch (error) {
      this.#run.fail(error);
    }
  }

  /** Shows the list of lessons, or another page than a lesson. @param {string} problem  a message above the list */
  #showList(problem) {
    this.#problem = problem;
    this.#stop();
    this.#place = null;
    document.title = frameText.documentTitle(this.#others.title);
    this.#render();
  }

  leave() {
    this.#isShown = this.#presented.isOn = false;
    this.#others.close();
    this.#stop();
    pageModels.release(this);
    this.#models.release();
  }

  get #step() {
    return this.#shownStep.step;
  }

  get #shownStep() {
    return /** @type {ShownStep} */ (this.#place);
  }

  /** Prepares for another step. */
  #arrive() {
    const {lesson, at} = this.#shownStep;
    const {id, title} = lesson.steps[at];
    this.#progress.add(lesson.id, id);
    this.#run.computed = null;
    this.#pages.begin();
    document.title = frameText.documentTitle(title);
    this.#render();
    scrollTo({top: 0});
    const heading = this.#root.querySelector('h2');
    // Focus makes screen readers announce the step, and the Tab key continues from there.
    heading?.focus({preventScroll: true});
  }

  /** Computes what the step shows, and what its question asks for. */
  async #compute() {
    await this.#run.start(this.#step, this.#shownStep.key, this.#input, this.#model.address);
    if (this.#isShown) void this.#models.keep(Object.values(stepsOf));
    await this.#question.find();
  }

  /** Shows all answers of this lesson, and the link that holds them. */
  #showAnswers() {
    const {lesson, at} = this.#shownStep;
    openAnswers(lesson, this.#book, {
      link: () => new URL(this.#addressOf(at, this.#book.sheet), location.href).href,
      onName: () => this.#addressWrite.soon(),
    });
  }

  #stop() {
    this.#run.stop();
    this.#addressWrite.drop();
  }

  /** @param {number} by */
  #go(by) {
    if (!this.#place) return;
    const {lesson, at} = this.#place;
    const next = lesson.steps[at + by];
    if (!next && (by < 0 || isInPlatform)) return;
    const hash = next ? this.#addressOf(at + by) : formatStart(lessonAfter(lesson), this.#shown);
    this.#addressWrite.now();
    this.#stop();
    history.pushState(null, '', hash);
    void this.show(/** @type {Route} */ (parseRoute(hash)));
  }

  /** How a step is shown, and with which model, as its address has it. */
  get #shown() {
    return {large: this.#large, present: this.#presented.isOn, model: this.#model.address};
  }

  /** Shows what comes next: what is below, another paragraph of large type, or another step. @param {1 | -1} by */
  #onward(by) {
    const barHeight = this.#root.querySelector('.stepping')?.clientHeight ?? 0;
    if (scrollOn(by, barHeight)) return;
    const page = this.#pages.beside(by);
    if (page !== null) this.#turn(page);
    else if (by > 0 && this.#pages.isOn && this.#presented.isOn && !this.#book.isRevealed)
      this.#question.reveal('');
    else {
      this.#pages.leave(by);
      this.#go(by);
    }
  }

  /** @param {number} page */
  #turn(page) {
    this.#pages.at = page;
    this.#render();
  }

  /** Applies a reader's change to the step. @param {() => void} apply */
  #change(apply) {
    apply();
    this.#render();
    void this.#compute();
    this.#addressWrite.soon();
  }

  #announce() {
    const place = this.#shownStep;
    const {sheet} = this.#book;
    announce(place, sheet, this.#addressOf(place.at, sheet));
  }

  /**
   * @param {number} to  the index of a step of this lesson
   * @param {AnswerSheet} [sheet]  the answers that the address holds; none unless given
   * @param {{large?: boolean, present?: boolean}} [shown]  how it shows the step, if not as now
   */
  #addressOf(to, sheet, shown) {
    return this.#shownStep.addressOf(to, this.#input, {...this.#shown, ...shown, sheet});
  }

  /** Runs the step with bert-base, at the layer, head and sizes of `step.bertBase`. */
  #useBertBase() {
    const {choices} = this.#input;
    this.#input = {...this.#input, choices: {...choices, ...this.#step.bertBase}};
    this.#model.chooseBertBase();
  }

  #toggleLarge() {
    this.#change(() => (this.#large = !this.#large));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.#isShown || !this.#place) return;
    const action = stepKey(event);
    if (!action) return;
    event.preventDefault();
    if (action === 'large') this.#toggleLarge();
    else if (action === 'onward' || action === 'return') this.#onward(action === 'onward' ? 1 : -1);
    else this.#go(action === 'next' ? 1 : -1);
  }

  #render() {
    if (!this.#isShown) return;
    const large = this.#presented.mark(this.#large);
    const {theme, dark} = this.#colours.apply(this.#others.isForPaper);
    const place = this.#place;
    if (!place) {
      const forget = () => {
        this.#progress.clear();
        this.#render();
      };
      const overview = () => overviewTemplate(this.#progress, this.#problem, this.#large, forget);
      render(this.#others.template() ?? overview(), this.#root);
      return;
    }
    const {lesson, at} = place;
    const input = this.#input;
    const text = lessonTexts[lesson.id].steps[lesson.steps[at].id];
    const context = contextOf(this.#step, text, input, this.#run, {
      ...{theme, dark, large, model: this.#model.address},
      choose: (changed) =>
        this.#change(() => {
          this.#input = {...input, choices: {...this.#input.choices, ...changed}};
        }),
    });
    render(
      lessonTemplate({
        lesson,
        next: lessonAfter(lesson),
        at,
        text,
        step: this.#step,
        page: this.#pages.at,
        context,
        sentences: input.sentences,
        model: this.#step.model ? '' : this.#model.address,
        run: this.#run,
        progress: this.#progress,
        question: this.#question,
        onAnswers: () => this.#showAnswers(),
        addressOf: (to) => this.#addressOf(to),
        onSentence: (i, sentence) =>
          this.#change(() => {
            this.#input = {...input, sentences: input.sentences.with(i, sentence)};
          }),
        onPage: (page) => this.#turn(page),
        onGo: (by) => this.#go(by),
        presented: this.#presented,
        onLarge: () => this.#toggleLarge(),
        onShare: () =>
          openClassLink(this.#addressOf(at, undefined, {large: false, present: false})),
        onBertBase: () => this.#useBertBase(),
        onRetry: () => void this.#compute(),
        onEmbedded: () => this.#model.chooseEmbedded(),
      }),
      this.#root,
    );
    this.#fit.watch();
  }
}
