import type { ReactNode } from 'react'
import { Logo } from '@headwater/web-kit'
import styles from './EntryFrame.module.css'

/** Properties of {@link EntryFrame}. */
export interface EntryFrameProps {
  /** Heading of the screen. */
  title: string
  /** One sentence below the title. */
  text?: ReactNode
  /** The form. */
  children?: ReactNode
  /** Below the form, for example a link to another of these screens. */
  footer?: ReactNode
}

/** The frame of every screen before sign-in: the logo, a title and one form. */
export function EntryFrame({ title, text, children, footer }: EntryFrameProps) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Logo withName />
        <h1 className={styles.title}>{title}</h1>
        {text === undefined ? null : <p className={styles.text}>{text}</p>}
        {children}
      </div>
      {footer === undefined ? null : <p className={styles.footer}>{footer}</p>}
    </main>
  )
}
