/** The domain of Amazon's services in a region; China has one of its own. */
export function amazonDomainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}
