import {
  type ComponentType,
  createElement,
  type FunctionComponent,
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

/** A component whose code is fetched when it first renders, or earlier. */
export type LazyPart<Props> = FunctionComponent<Props> & {
  /** Preloads the code. A failure is reported only when the part renders. */
  preload(): void
  /** Preloads the code when the page is idle, at the latest after three seconds; returns a function that cancels it. */
  preloadWhenIdle(): () => void
}

/**
 * Creates a component whose code is fetched when it first renders, inside a {@link PartBoundary}. Unlike `lazy`, which
 * never retries a failed fetch, it fetches again after an error boundary has caught the failure.
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
  /** Shares a fetch in progress, so that the code is not fetched twice and a failure is not reported twice. */
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
    // The component type must stay the same while it is mounted; otherwise React would discard its state.
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
  // Safari has no idle callback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, idleWithinMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: idleWithinMs })
  return () => cancelIdleCallback(handle)
}

/**
 * Wraps lazy parts and shows `fallback` while their code loads. `Suspense` alone would delay the content until 0.3 s after
 * the last fallback on the page appeared. Here the arrival of the code is a separate update, which renders immediately.
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
 * Allows lazy parts to fetch their code again after a failure. Only the error boundary that caught the failure may call
 * this. An earlier call would cause an endless loop, because the part would fetch again instead of reporting its failure.
 */
export function forgetFailedParts(): void {
  for (const renew of failed) renew()
  failed.clear()
}

/** Returns whether a part failed because its code could not be loaded, for example offline. */
export function isMissingCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && missing.has(error)
}

function noteLostStyles({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target)
}

/** Requests the style sheets again that could not be loaded, because the bundler requests each one only once. */
async function fetchLostStyles(): Promise<void> {
  const lost = [...lostStyles]
  lostStyles.clear()
  await Promise.all(
    lost.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement
          again.addEventListener('load', resolve)
          again.addEventListener('error', () =>
            reject(new Error(`The styles ${link.href} could not be loaded.`)),
          )
          link.replaceWith(again)
        }),
    ),
  )
}
