import styles from './Field.module.css'

/** Decides what Enter does with typed text in a field that offers choices. */
export interface EnterRule {
  /** Takes a choice of the list. Returns false if it takes none. */
  takes: (input: HTMLInputElement, text: string) => boolean
  /** Returns the class of the list, which marks the choice that Enter takes. */
  classOf: (text: string) => string | undefined
}

/**
 * Returns the rule that Enter takes a complete text as it is, and for another text the first choice that contains it, if there is one.
 */
export function firstChoiceUnless(isComplete: (text: string) => boolean): EnterRule {
  const needsChoice = (text: string) => text !== '' && !isComplete(text)
  return {
    takes: (input, text) => needsChoice(text.trim()) && takeFirstChoice(input, text.trim()),
    classOf: (text) => (needsChoice(text.trim()) ? styles.firstChoice : undefined),
  }
}

/**
 * Takes the first choice of the list of an input if it contains the text. The list can still contain the choices for
 * an earlier text. Returns false if nothing is taken, or if the user has highlighted a choice.
 */
function takeFirstChoice(input: HTMLInputElement, text: string): boolean {
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  const choice = list?.querySelector<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])')
  if (!choice || list?.querySelector('[data-combobox-selected]')) return false
  if (!choice.textContent.toLowerCase().includes(text.toLowerCase())) return false
  choice.click()
  return true
}
