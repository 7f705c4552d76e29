// Room: an APNs-compatible server and virtual iPhones that run Announcing under iOS's rules.
