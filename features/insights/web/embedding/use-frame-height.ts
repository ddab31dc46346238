import { useEffect } from 'react'
import { isFramed } from '@headwater/accounts/web'
import { watchFrameHeight } from './frame-height.ts'

/** Inside of a frame: tells the page around it how high the element is that holds the tiles. */
export function useFrameHeight(): void {
  useEffect(() => {
    if (!isFramed()) return
    return watchFrameHeight({
      measure: () => {
        const content = document.querySelector('[data-insight-content]')
        return content === null ? undefined : content.scrollHeight + content.getBoundingClientRect().top
      },
      // The height is no secret, and who embeds an insight may be anybody who is allowed to.
      tell: (message) => window.parent.postMessage(message, '*'),
      after(delayMs, callback) {
        const timer = setTimeout(callback, delayMs)
        return () => clearTimeout(timer)
      },
    })
  }, [])
}
