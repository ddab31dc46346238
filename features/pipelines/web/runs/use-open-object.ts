import { useState } from 'react'
import { useNavigate } from 'react-router'
import { message, toastError } from '@headwater/web-kit'

/**
 * Returns a function that opens the page of a file or data prep, and whether it is being looked up.
 * @param hrefOf returns the page; undefined if there is none that the user can read
 * @param missing message if there is none
 */
export function useOpenObject(hrefOf: () => Promise<string | undefined>, missing: string) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  async function open(): Promise<void> {
    setBusy(true)
    try {
      const href = await hrefOf()
      if (href === undefined) message(missing, 'warn')
      else await navigate(href)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, open }
}
