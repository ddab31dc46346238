import { useState } from 'react'
import { readStoredList, writeStoredList } from '@headwater/web-kit'

/**
 * Storage key of the guides that were finished or declined. Browsers of users contain it, so it keeps its
 * original name.
 */
const key = 'ng-guides'
const name = 'insight-builder'

/**
 * Manages the guide through the insight builder: whether to offer it in this browser, the current step, and how it
 * starts and ends.
 * @param editing whether the builder is open; the guide ends with the builder
 */
export function useBuilderGuide(editing: boolean) {
  const [isNew, setIsNew] = useState(() => !readStoredList(key).includes(name))
  const [step, setStep] = useState<number>()
  if (!editing && step !== undefined) setStep(undefined)
  return {
    isNew,
    /** Current step, from 0; undefined while the guide is not running. */
    step,
    goTo: setStep,
    /** Ends or declines the guide, which is then not offered again. */
    end: () => {
      setStep(undefined)
      setIsNew(false)
      const finished = readStoredList(key)
      if (!finished.includes(name)) writeStoredList(key, [...finished, name])
    },
  }
}
