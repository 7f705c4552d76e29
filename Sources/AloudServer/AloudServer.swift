// Room: REST routes, authentication, queue workers, rendering, fallback ladder, and the console page in Console/.
