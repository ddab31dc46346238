import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { lazyPart } from '@headwater/web-kit'
import type { TestRunProps } from './TestRunPanel.tsx'
import styles from './TestRun.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
const TestRunPanel = lazyPart(() => import('./TestRunPanel.tsx'))

/** Section of the creator that runs the unsaved script with sample values. Collapsed unless a link from a pipeline opens it. */
export function TestRunSection(props: TestRunProps) {
  const id = useId()
  const isLinked = useSearchParams()[0].has('nodeId')
  const [isOpen, setOpen] = useState(isLinked)
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 className={styles.title}>
        <button
          id={id}
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown {...icon} /> : <IconChevronRight {...icon} />}
          Test run
        </button>
      </h2>
      {isOpen ? <TestRunPanel {...props} /> : null}
    </section>
  )
}
