import { useLayoutEffect, useRef, useState } from 'react'

/**
 * Returns functions with a stable identity that call the newest versions, so that the canvas is not rendered again when
 * they change.
 */
export function useStable<Handlers extends object>(handlers: Handlers): Handlers {
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(handlers).map((name) => [
          name,
          (...args: unknown[]) =>
            (latest.current as Record<string, (...given: unknown[]) => unknown>)[name]!(...args),
        ]),
      ) as Handlers,
  )
  return stable
}
