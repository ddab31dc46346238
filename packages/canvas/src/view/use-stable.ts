import { useLayoutEffect, useRef, useState } from 'react'

/** Returns functions that stay the same and call the newest ones, so that parts of the canvas are not drawn again for them. */
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
