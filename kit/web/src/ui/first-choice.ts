import styles from './Field.module.css'

/** Rule for Enter in a field with choices: whether it selects a choice instead of the typed text. */
export interface EnterRule {
  /** Selects a choice of the list. Returns false if it selects none. */
  takes: (input: HTMLInputElement, text: string) => boolean
  /** Returns the CSS class of the list that marks the choice that Enter would select. */
  classOf: (text: string) => string | undefined
}

/**
 * Returns a rule by which Enter accepts a complete text unchanged. For any other text, it selects the first choice that
 * contains the text, if there is one.
 */
export function firstChoiceUnless(isComplete: (text: string) => boolean): EnterRule {
  const needsChoice = (text: string) => text !== '' && !isComplete(text)
  return {
    takes: (input, text) => needsChoice(text.trim()) && takeFirstChoice(input, text.trim()),
    classOf: (text) => (needsChoice(text.trim()) ? styles.firstChoice : undefined),
  }
}

/**
 * Selects the first choice in the list of an input if it contains the text. (The list can still contain the choices for an
 * earlier text.) Returns false if it selects no choice, or if the user has highlighted one.
 */
function takeFirstChoice(input: HTMLInputElement, text: string): boolean {
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  const choice = list?.querySelector<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])')
  if (!choice || list?.querySelector('[data-combobox-selected]')) return false
  if (!choice.textContent.toLowerCase().includes(text.toLowerCase())) return false
  choice.click()
  return true
}
