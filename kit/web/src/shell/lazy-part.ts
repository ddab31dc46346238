import {
  type ComponentType,
  createElement,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  useState,
  useSyncExternalStore,
} from 'react'

const failed = new Set<() => void>()
const lostStyles = new Set<HTMLLinkElement>()
const missing = new WeakSet<object>()
const listeners = new Set<() => void>()
let arrivals = 0

/** A component whose code is fetched when it is first shown, or before. */
export type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the code ahead of time. What goes wrong is told when the part is shown. */
  preload(): void
  /** The same once the page has nothing else to do, at the latest after three seconds; what is returned gives it up. */
  preloadWhenIdle(): () => void
}

/**
 * A component whose code is fetched when it is first shown, inside a {@link PartBoundary}. Unlike one of `lazy`, which remembers
 * a failure for good, it is fetched anew once an error boundary has caught that the code did not arrive.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPart<Props> {
  let arrived: ComponentType<Props> | undefined
  let arriving: Promise<{ default: ComponentType<Props> }> | undefined
  let Arriving: LazyExoticComponent<ComponentType<Props>>
  function renew() {
    Arriving = lazy(fetchOnce)
  }
  /** What is fetched ahead is not fetched again, nor told twice to all boundaries, when it is shown before it has arrived. */
  function fetchOnce() {
    arriving ??= fetchCode().finally(() => (arriving = undefined))
    return arriving
  }
  async function fetchCode() {
    document.addEventListener('error', noteLostStyles, true)
    try {
      await fetchLostStyles()
      const code = await load()
      arrived = code.default
      arrivals++
      for (const listener of listeners) listener()
      return code
    } catch (error) {
      failed.add(renew)
      if (typeof error === 'object' && error !== null) missing.add(error)
      throw error
    }
  }
  renew()
  function LazyPart(props: Props) {
    // What is shown stays of one kind as long as it is shown: another one would begin anew, without its state.
    const [Part] = useState<ComponentType<Props>>(() => arrived ?? (Arriving as ComponentType<Props>))
    return createElement(Part, props)
  }
  function preload() {
    if (arrived === undefined) void fetchOnce().catch(() => undefined)
  }
  return Object.assign(LazyPart, { preload, preloadWhenIdle: () => whenIdle(preload) })
}

const idleWithinMs = 3000

function whenIdle(work: () => void): () => void {
  // Safari does not tell.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, idleWithinMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: idleWithinMs })
  return () => cancelIdleCallback(handle)
}

/**
 * Around parts of `lazyPart`: shows `fallback` while their code is on the way. `Suspense` alone holds what has arrived back until
 * 0.3 s after the last fallback anywhere came up; here the arrival is an update of its own, which is shown at once.
 */
export function PartBoundary({ fallback, children }: { fallback: ReactNode; children?: ReactNode }) {
  useSyncExternalStore(listen, () => arrivals)
  return createElement(Suspense, { fallback }, children)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
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
