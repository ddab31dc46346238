import { linkTo, routeNames } from '@headwater/web-kit'

/** The address that begins an insight by a template; parameters are `name=value` pairs joined by bars. */
export function templateLink(groupName: string, name: string, params = ''): string {
  return linkTo([
    routeNames.insight,
    routeNames.templates,
    groupName,
    name,
    ...(params === '' ? [] : [params]),
  ])
}
