import { errorMessage, type ToastContent } from '@headwater/web-kit'

/** Outcomes of an action on several objects. */
export interface Outcomes<Item, Result> {
  /** Objects whose action succeeded, with its result. */
  done: { item: Item; result: Result }[]
  /** Objects whose action failed, with its error. */
  failed: { item: Item; error: unknown }[]
}

/** Runs an action on one object after the other; a failure does not stop the next ones. */
export async function attemptEach<Item, Result>(
  items: readonly Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Outcomes<Item, Result>> {
  const outcomes: Outcomes<Item, Result> = { done: [], failed: [] }
  for (const item of items) {
    try {
      outcomes.done.push({ item, result: await action(item) })
    } catch (error) {
      outcomes.failed.push({ item, error })
    }
  }
  return outcomes
}

const maxNamedFailures = 5

/**
 * Returns a toast with the errors of the objects whose action failed; only the first errors if there are many.
 * @param title headline, for example “2 files could not be restored.”
 */
export function failureToast(
  title: string,
  failed: readonly { item: { name: string }; error: unknown }[],
): ToastContent {
  const named = failed
    .slice(0, maxNamedFailures)
    .map(({ item, error }) => `${item.name}: ${errorMessage(error)}`)
  const others = failed.length - named.length
  if (others > 0) named.push(`And ${others} more, which are still selected.`)
  return { kind: 'error', title, text: named.join(' ') }
}
