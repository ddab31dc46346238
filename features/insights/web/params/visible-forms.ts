import { type RefObject, useEffect } from 'react'

/** The parameter forms on the page, in order. */
const visible = new Set<HTMLFormElement>()

/** Lets other parts of the page submit a form of parameters while it is visible. */
export function useVisibleForm(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current
    if (element === null) return
    visible.add(element)
    return () => void visible.delete(element)
  }, [form])
}

/** Applies the values in every form of parameters on the page. */
export function submitVisibleForms(): void {
  for (const form of visible) form.requestSubmit()
}
