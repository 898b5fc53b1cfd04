/**
 * The style of the neuron view, which arrives with its script. Every shadow root that draws views has this sheet, so that
 * the view is styled in all of them when it arrives.
 */
export const laterStyle = new CSSStyleSheet();
