import { useState } from 'react'
import { readStoredList, writeStoredList } from '@headwater/web-kit'

/** Where the browser keeps which guides were finished or turned down. */
const key = 'ng-guides'
const name = 'insight-builder'

/** The guide through the builder of insights: whether it is new to this browser, whether it runs, how it begins and ends. */
export function useBuilderGuide() {
  const [isNew, setIsNew] = useState(() => !readStoredList(key).includes(name))
  const [running, setRunning] = useState(false)
  return {
    isNew,
    running,
    start: () => setRunning(true),
    /** Ends it, or turns it down: it does not offer itself again. */
    end: () => {
      setRunning(false)
      setIsNew(false)
      const finished = readStoredList(key)
      if (!finished.includes(name)) writeStoredList(key, [...finished, name])
    },
  }
}
