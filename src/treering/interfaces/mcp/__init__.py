"""The Model Context Protocol's door to a memory: the tools and two kinds of resource, over stdio and HTTP."""
