import { useState } from 'react'
import { readStoredList, writeStoredList } from '@headwater/web-kit'

/** Storage key of the guides that were finished or declined. */
const key = 'ng-guides'
const name = 'insight-builder'

/**
 * The guide through the builder of insights: whether it is new to this browser, at which step it is, how it begins and ends.
 * @param editing whether the builder is there; without it the guide has ended
 */
export function useBuilderGuide(editing: boolean) {
  const [isNew, setIsNew] = useState(() => !readStoredList(key).includes(name))
  const [step, setStep] = useState<number>()
  if (!editing && step !== undefined) setStep(undefined)
  return {
    isNew,
    /** The step that is shown, from 0; undefined while the guide does not run. */
    step,
    goTo: setStep,
    /** Ends it, or turns it down: it does not offer itself again. */
    end: () => {
      setStep(undefined)
      setIsNew(false)
      const finished = readStoredList(key)
      if (!finished.includes(name)) writeStoredList(key, [...finished, name])
    },
  }
}
