/**
 * Refuses to save while a field holds text that is not a value, such as half a date: the field shows its error and takes the
 * focus. Such a field says so by its custom validity. Fields behind an open dialog do not count.
 * @param root the form; default all of the page
 * @returns whether there is such a field
 */
export function refusesUnfinished(root: ParentNode = document): boolean {
  const field = [...root.querySelectorAll('input')].find(
    (each) => each.validity.customError && each.closest('[inert]') === null,
  )
  if (field === undefined) return false
  // Fires the event that shows the error of the field.
  field.checkValidity()
  field.focus()
  return true
}
