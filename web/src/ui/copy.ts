/** Put a text on the clipboard; where the page isn't served securely, as at home, by the older way. */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard && (await navigator.clipboard.writeText(text).then(() => true, () => false))) return;
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
  const before = document.activeElement as HTMLElement | null;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  before?.focus();
}
