import { useCallback, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Button, useEscape, useFocusBack } from '@headwater/web-kit'
import styles from './BuilderGuide.module.css'
import { builderSteps } from './guide-steps.ts'
import { type Box, positionStep } from './position-step.ts'

/** The guide through the builder: one hint at a time, next to its subject. The page remains usable; Esc ends the guide. */
export default function BuilderGuide({
  step: at,
  onStep: setAt,
  onEnd,
}: {
  /** Index of the step, from 0. */
  step: number
  onStep: (step: number) => void
  onEnd: () => void
}) {
  const { anchor, side, title, text } = builderSteps[at]!
  const isLast = at === builderSteps.length - 1
  const card = useRef<HTMLElement>(null)
  const ring = useRef<HTMLDivElement>(null)
  const id = useId()
  useEscape(true, onEnd)
  useFocusBack()
  const next = isLast ? onEnd : () => setAt(at + 1)
  useEffect(() => card.current?.focus({ preventScroll: true }), [at])
  const position = useCallback(() => {
    const box = boxOf(anchor)
    const screen = { width: window.innerWidth, height: window.innerHeight }
    setPixels(card.current!, positionStep(box, side, card.current!.getBoundingClientRect(), screen))
    ring.current!.hidden = box === undefined
    if (box !== undefined) setPixels(ring.current!, box)
  }, [anchor, side])
  // Changes of the page also update the guide.
  useLayoutEffect(position)
  useEffect(() => {
    window.addEventListener('resize', position)
    window.addEventListener('scroll', position, true)
    return () => {
      window.removeEventListener('resize', position)
      window.removeEventListener('scroll', position, true)
    }
  }, [position])
  return (
    <>
      <div ref={ring} className={styles.ring} aria-hidden="true" />
      <section
        ref={card}
        className={styles.card}
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.target === card.current) next()
        }}
      >
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        <p id={`${id}-text`}>{text}</p>
        <div className={styles.foot}>
          <span className={styles.count}>
            Step {at + 1} of {builderSteps.length}
          </span>
          {isLast ? null : (
            <Button size="small" variant="quiet" onClick={onEnd}>
              End the guide
            </Button>
          )}
          {at === 0 ? null : (
            <Button size="small" onClick={() => setAt(at - 1)}>
              Back
            </Button>
          )}
          <Button size="small" variant="primary" onClick={next}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </div>
      </section>
    </>
  )
}

/** Distance between an element and the ring around it, in pixels. */
const marginPx = 4

function boxOf(anchor: string): Box | undefined {
  const rectangle = document.querySelector(`[data-guide="${anchor}"]`)?.getBoundingClientRect()
  if (rectangle === undefined || rectangle.width === 0) return undefined
  const { left, top, width, height } = rectangle
  return {
    left: left - marginPx,
    top: top - marginPx,
    width: width + 2 * marginPx,
    height: height + 2 * marginPx,
  }
}

function setPixels(element: HTMLElement, box: Partial<Box>): void {
  for (const [name, value] of Object.entries(box)) element.style.setProperty(name, `${value}px`)
}
