/** Whether there is room for panels beside the picture. */
export const isWideScreen = () => matchMedia('(min-width: 64rem)').matches;
