/** What was last asked of the browser, which takes its time to fill the screen. */
let entering = Promise.resolve();

/** Takes the whole screen if the browser allows it; it does so only for an act of the reader. */
export function enterFullScreen() {
  entering = document.documentElement.requestFullscreen?.().catch(() => {}) ?? entering;
}

/** Leaves the full screen, also one that the browser is still filling, unless the reader has asked for it again. */
export function leaveFullScreen() {
  const asked = entering;
  void asked.then(() => {
    if (asked === entering && document.fullscreenElement) void document.exitFullscreen();
  });
}
