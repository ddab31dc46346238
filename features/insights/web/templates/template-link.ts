import { linkTo, routeNames } from '@headwater/web-kit'

/**
 * Returns the URL that starts an insight from a template. Parameters are `name=value` pairs joined by vertical bars.
 */
export function templateLink(groupName: string, name: string, params = ''): string {
  return linkTo([
    routeNames.insight,
    routeNames.templates,
    groupName,
    name,
    ...(params === '' ? [] : [params]),
  ])
}
