import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './TextLink.module.css'

export interface TextLinkProps {
  href: string
  children: ReactNode
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
