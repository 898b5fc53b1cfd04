/** A widget's model as the notebook gives it to a front end: https://anywidget.dev/en/afm/. */
export interface WidgetModel {
  get(name: string): any;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, callback: (...parts: any[]) => void): void;
  off(event?: string | null, callback?: ((...parts: any[]) => void) | null): void;
  send(content: object, callbacks?: unknown, buffers?: (ArrayBuffer | ArrayBufferView)[]): void;
}
