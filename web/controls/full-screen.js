/** Takes the whole screen if the browser allows it; it does so only for an act of the reader. */
export function enterFullScreen() {
  document.documentElement.requestFullscreen?.().catch(() => {});
}

export function leaveFullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen();
}
