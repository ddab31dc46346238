import { Fragment, useEffect } from 'react'
import { Link } from 'react-router'
import { Badge, type Crumb, pageNames, useOnline, useScreenTitle } from '@headwater/web-kit'
import styles from './Header.module.css'

/** Properties of {@link Header}. */
export interface HeaderProps {
  /** Breadcrumbs; an empty list hides them. */
  crumbs: readonly Crumb[]
  /** Receives the element into which pages render their note; null after the header is unmounted. */
  noteRef: (element: HTMLElement | null) => void
  /** Receives the element into which pages render their actions; null after the header is unmounted. */
  actionsRef: (element: HTMLElement | null) => void
}

/** The bar above every page: breadcrumbs on the left, actions on the right. */
export function Header({ crumbs, noteRef, actionsRef }: HeaderProps) {
  const title = useScreenTitle()
  const online = useOnline()
  const visibleCrumbs = title === undefined ? crumbs : [...crumbs.slice(0, -1), { text: title }]
  const [name, context] = visibleCrumbs.map(({ text }) => text).toReversed()
  useEffect(() => {
    pageNames.set([name, context].filter((text) => text !== undefined))
    return () => pageNames.set([])
  }, [name, context])
  return (
    <header className={styles.header}>
      {crumbs.length === 0 ? null : (
        <nav aria-label="Breadcrumbs" className={styles.crumbs}>
          <ol>
            {visibleCrumbs.map((crumb, index) => (
              <Fragment key={`${index}-${crumb.text}`}>
                {index === 0 ? null : (
                  <li aria-hidden="true" className={styles.slash}>
                    /
                  </li>
                )}
                <li className={styles.crumb}>
                  {crumb.href === undefined ? (
                    <LastCrumb crumb={crumb} current={index === visibleCrumbs.length - 1} />
                  ) : (
                    <Link to={crumb.href} title={crumb.text}>
                      {crumb.text}
                    </Link>
                  )}
                </li>
              </Fragment>
            ))}
          </ol>
        </nav>
      )}
      {online ? null : <Badge kind="warn">Offline</Badge>}
      <div ref={noteRef} className={styles.note} />
      <div ref={actionsRef} className={styles.actions} />
    </header>
  )
}

function LastCrumb({ crumb, current }: { crumb: Crumb; current: boolean }) {
  if (!current) return <span title={crumb.text}>{crumb.text}</span>
  return (
    <h1 aria-current="page" title={crumb.text}>
      {crumb.text}
    </h1>
  )
}
