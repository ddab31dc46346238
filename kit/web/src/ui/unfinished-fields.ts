/**
 * Prevents saving while a field contains text that is not a valid value, such as an incomplete date. The field shows
 * its error and gets the focus. Such fields set their custom validity. Fields behind an open dialog are ignored.
 * @param root the form; default the whole page
 * @returns whether such a field exists
 */
export function refusesUnfinished(root: ParentNode = document): boolean {
  const field = [...root.querySelectorAll('input')].find(
    (each) => each.validity.customError && each.closest('[inert]') === null,
  )
  if (field === undefined) return false
  // Dispatches the event that shows the error of the field.
  field.checkValidity()
  field.focus()
  return true
}
