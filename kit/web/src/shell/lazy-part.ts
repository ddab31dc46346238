import { type ComponentType, createElement, lazy, type LazyExoticComponent } from 'react'

const failed = new Set<() => void>()
const lostStyles = new Set<HTMLLinkElement>()
const missing = new WeakSet<object>()

/**
 * A component whose code is fetched when it is first shown. Unlike one of `lazy`, which remembers a failure for good, it is
 * fetched anew once an error boundary has caught that the code did not arrive.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let Part: LazyExoticComponent<ComponentType<Props>>
  function renew() {
    Part = lazy(fetchCode)
  }
  async function fetchCode() {
    document.addEventListener('error', noteLostStyles, true)
    try {
      await fetchLostStyles()
      return await load()
    } catch (error) {
      failed.add(renew)
      if (typeof error === 'object' && error !== null) missing.add(error)
      throw error
    }
  }
  renew()
  return function LazyPart(props) {
    return createElement(Part as ComponentType<Props>, props)
  }
}

/**
 * Lets the parts whose code did not arrive be fetched anew. For the error boundary that caught one: any earlier, the part
 * that is about to tell of its failure would fetch again instead, for ever.
 */
export function forgetFailedParts(): void {
  for (const renew of failed) renew()
  failed.clear()
}

/** Whether a part broke because its code did not arrive, as when one is offline. */
export function isMissingCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && missing.has(error)
}

function noteLostStyles({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target)
}

/** The bundler asks for styles once; those that did not arrive are asked for here. */
async function fetchLostStyles(): Promise<void> {
  const lost = [...lostStyles]
  lostStyles.clear()
  await Promise.all(
    lost.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement
          again.addEventListener('load', resolve)
          again.addEventListener('error', () => reject(new Error(`The styles ${link.href} did not arrive.`)))
          link.replaceWith(again)
        }),
    ),
  )
}
