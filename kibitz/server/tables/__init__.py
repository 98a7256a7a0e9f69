"""Tables: what their logs tell, who sits and watches there, and what goes on at them."""
