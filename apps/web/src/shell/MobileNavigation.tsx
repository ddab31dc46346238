import { Link, useLocation } from 'react-router'
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import { mobileLake, useCan } from '@headwater/accounts/web'
import { links, routeNames as names, sameName } from '@headwater/web-kit'
import styles from './MobileNavigation.module.css'

const entries = [
  {
    label: 'Statuses',
    resource: 'Statuses',
    href: links.statuses(),
    area: names.statuses,
    icon: IconActivity,
  },
  { label: 'Lake', resource: 'Lake', href: mobileLake, area: names.lake, icon: IconDatabase },
  { label: 'Log out', resource: undefined, href: links.logout(), area: names.logout, icon: IconLogout },
]

/** The bar at the bottom that replaces the sidebar on narrow screens. */
export function MobileNavigation() {
  const can = useCan()
  const [, area] = useLocation().pathname.split('/')
  return (
    <nav className={styles.bar} aria-label="Main" data-bottom-bar>
      {entries
        .filter(({ resource }) => resource === undefined || can(resource))
        .map(({ label, href, area: own, icon: Icon }) => (
          <Link
            key={label}
            to={href}
            className={styles.entry}
            aria-current={sameName(area, own) ? 'page' : undefined}
          >
            <Icon size={20} stroke={1.6} aria-hidden="true" />
            {label}
          </Link>
        ))}
    </nav>
  )
}
