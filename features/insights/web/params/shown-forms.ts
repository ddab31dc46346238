import { type RefObject, useEffect } from 'react'

/** Forms of parameters that are on the page, in their order. */
const shown = new Set<HTMLFormElement>()

/** Lets a form of parameters be submitted from elsewhere on the page while it is shown. */
export function useShownForm(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current
    if (element === null) return
    shown.add(element)
    return () => void shown.delete(element)
  }, [form])
}

/** Applies what is chosen in every form of parameters on the page. */
export function submitShownForms(): void {
  for (const form of shown) form.requestSubmit()
}
