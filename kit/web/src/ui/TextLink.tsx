import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './TextLink.module.css'

/** Properties of {@link TextLink}. */
export interface TextLinkProps {
  /** Target of the link. */
  href: string
  /** Text. */
  children: ReactNode
  /** Opens the link in a new tab. */
  newTab?: boolean
}

/** A link in running text or in a table. */
export function TextLink({ href, children, newTab }: TextLinkProps) {
  return (
    <Link to={href} className={styles.link} {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})}>
      {children}
    </Link>
  )
}

/** A group, as a link in the accent colour. */
export function GroupLink(props: TextLinkProps) {
  return <TextLink {...props} />
}
