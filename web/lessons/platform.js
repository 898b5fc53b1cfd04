/** The name of the frame in which a learning platform shows a lesson. */
export const platformFrame = 'bertscope-in-platform';

/** Whether a learning platform shows this page: then it leads from activity to activity, and the page to no other. */
export const isInPlatform = typeof window !== 'undefined' && window.name === platformFrame;
