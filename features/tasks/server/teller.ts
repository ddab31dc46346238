const withinMs = 2000

/** Tells of what changes within 2 s, and not more often. */
export interface Teller {
  /** Something has changed. */
  changed(): void
  /** Tells no more; done when nothing is on its way. */
  end(): Promise<void>
}

/** @param tell tells how things stand; when it fails the next change is told all the same */
export function createTeller(tell: () => Promise<void>): Teller {
  let timer: NodeJS.Timeout | undefined
  let telling = Promise.resolve()

  function tellNow(): void {
    timer = undefined
    telling = telling.then(tell).catch(() => undefined)
  }

  return {
    changed() {
      timer ??= setTimeout(tellNow, withinMs)
    },
    async end() {
      clearTimeout(timer)
      await telling
    },
  }
}
