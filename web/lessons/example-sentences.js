/** The sentences that lessons begin with. A reader's change to one applies to every step that begins with it. */

export const blank = 'The girl said that [MASK] was tired.';
export const friend = 'My friend told me about this class and I love it so far! She was right.';
export const dogAndCat = 'The dog saw the cat, and the cat saw the dog.';
export const aircraft =
  'As the aircraft becomes lighter, it flies higher in the air of lower density to maintain the same airspeed.';
export const arrow = 'time flies like an arrow';
export const banana = 'fruit flies like a banana';
export const meal = 'The old man gave the girl a red apple.';
export const persistence = 'persistence is all you need';
export const time = 'time goes by fast';
export const date = 'twenty-third of March 2021';
export const weekday = 'Friday, 20 December 1985';
export const chasing = 'The police is chasing a criminal on the run.';
export const hiding = 'The criminal is hiding in the police van.';
